package shell

import "strings"

// cpioCall is cpio: what it packs or copies is named on its input.
func cpioCall(c *call) outcome {
	x := programs["cpio"]
	p := x.parse(c.args)
	if p.has("o", "p", "create", "pass-through") {
		c.packs(p.has("0", "null"))
	}
	if p.has("p", "pass-through") {
		c.writeTree(p.rest...)
		return c.stays()
	}
	return x.look(c)
}

// paxCall is pax, which packs what its input names when it is given nothing.
func paxCall(c *call) outcome {
	x := programs["pax"]
	if p := x.parse(c.args); p.has("w") && len(p.rest) == 0 {
		c.packs(p.has("0"))
	}
	return x.look(c)
}

// zipCall is zip: with -@ the names of what it packs come from its input.
func zipCall(c *call) outcome {
	x := programs["zip"]
	if p := x.parse(c.args); p.has("names-stdin") || p.has("@") {
		c.packs(false)
	}
	return x.look(c)
}

// packs reads the files that the input names, one a line.
func (c *call) packs(nul bool) {
	if !c.sc.stdin.some {
		return
	}
	if !c.sc.stdin.known {
		c.read(c.given()...)
		return
	}
	for _, name := range splitNames(c.sc.stdin.text, nul) {
		c.read(literal(name))
	}
}

func splitNames(text string, nul bool) []string {
	if nul {
		return strings.FieldsFunc(text, func(r rune) bool { return r == 0 })
	}
	return strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
}
