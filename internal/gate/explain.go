package gate

import "assent/internal/policy"

// Explanation is what `assent permissions explain --json` prints.
type Explanation struct {
	Tool     string         `json:"tool"`
	Decision policy.Verdict `json:"decision"`
	By       policy.By      `json:"by"`
	Reason   string         `json:"reason"`
	Subjects []Explained    `json:"subjects"`
}

// Explained is one judged subject of an Explanation.
type Explained struct {
	Text     string         `json:"text"`
	Kind     policy.Kind    `json:"kind"`
	Decision policy.Verdict `json:"decision"`
	Pattern  string         `json:"pattern"`
	Source   string         `json:"source"`
	Reason   string         `json:"reason,omitempty"`
}

// NewExplanation words a decision about a call.
func NewExplanation(r Request, d policy.Decision) Explanation {
	e := Explanation{Tool: r.Tool, Decision: d.Verdict, By: d.By, Reason: d.Reason, Subjects: []Explained{}}
	for _, j := range d.Subjects {
		e.Subjects = append(e.Subjects, Explained{
			Text: j.Subject.Text, Kind: j.Subject.Kind, Decision: j.Verdict, Pattern: j.Pattern, Source: j.Source, Reason: j.Reason,
		})
	}
	return e
}
