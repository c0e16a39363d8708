package shell

import "strings"

// completeCall is complete and compgen, which run a command to find words.
func completeCall(c *call) outcome {
	p := grammar{short: "AGWFCXPSoV", flags: "*"}.parse(c.args)
	for _, o := range p.opts {
		switch {
		case o.has && o.is("C"):
			c.unknown(c.name + " -C runs a command")
			c.script(o.val, c.word("-C"))
		case o.has && o.is("W"):
			c.r.within(o.val.Text, c.sc)
		}
	}
	return c.stays()
}

// bindCall is bind, which gives a key a command.
func bindCall(c *call) outcome {
	p := grammar{short: "mqurfx", flags: "*"}.parse(c.args)
	for _, o := range p.opts {
		if o.is("x") {
			c.unknown("bind -x gives a key a command")
			if i := strings.LastIndex(o.val.Text, `":`); i >= 0 {
				c.also(o.val.Text[i+2:])
			} else if _, command, ok := strings.Cut(o.val.Text, ":"); ok {
				c.also(command)
			}
		}
	}
	return c.stays()
}
