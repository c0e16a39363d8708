package compact

import "assent/internal/llm"

// What an estimate takes for granted: bytes of a token, tokens around an item,
// tokens of an image.
const (
	perToken = 4
	perItem  = 4
	perImage = 1500
)

// Tokens estimates the size of items in tokens. It errs to the high side for
// English text and code.
func Tokens(items ...llm.Item) int {
	n := 0
	for _, it := range items {
		n += perItem + size(it)
	}
	return n
}

// Text estimates the size of a text in tokens.
func Text(s string) int { return (len(s) + perToken - 1) / perToken }

func size(it llm.Item) int {
	switch it := it.(type) {
	case llm.User:
		return Text(it.Text) + perImage*len(it.Images)
	case llm.Note:
		return Text(it.Text)
	case llm.Result:
		return Text(it.Output) + perImage*len(it.Images)
	case llm.Assistant:
		n := 0
		for _, p := range it.Parts {
			switch p := p.(type) {
			case llm.Text:
				n += Text(p.Text)
			case llm.Reasoning:
				n += max(Text(p.Text), (len(p.Opaque.Data)+perToken-1)/perToken)
			case llm.Call:
				n += perItem + Text(p.Name) + (len(p.Input)+perToken-1)/perToken
			}
		}
		return n
	}
	return 0
}

// Threshold is the size in tokens above which a history should be folded: a
// share of the model's window, less what a response needs. A window or a share
// that is not above zero gives 0, which means never; a share of exactly 0
// stands for 0.8.
func Threshold(window, maxOutput int, share float64) int {
	if window <= 0 || share < 0 {
		return 0
	}
	if share == 0 {
		share = 0.8
	}
	reserve := window / 16
	if maxOutput > 0 {
		reserve = min(maxOutput, window/4)
	}
	return max(int(min(share, 1)*float64(window))-reserve, window/4, 1)
}
