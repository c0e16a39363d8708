package turn

import (
	"fmt"
	"time"

	"assent/internal/amount"
	"assent/internal/llm"
)

// What the model is told.
const (
	textNudge    = "Your last response was empty. Go on with the task, or say in one sentence that it is done or what stops you."
	textAgain    = "Your last response was cut off by a broken connection. What arrived of it stands above, but the user does not have it: give the whole response again, from its beginning."
	textContinue = "Your last response was cut off because the context was full. What there is of it stands above; go on exactly where it stopped and do not repeat it."
	textCut      = "This call was cut off at the limit of the response's length, so it was not run. Make it smaller: split the work over several calls."
	textNotRun   = "Cancelled: the turn ended before this call ran."
	textQuestion = "Not run: a question to the user is open, and the turn ends until it is answered. Call again then if it is still needed."
	textTooMany  = "Not run: the response held too many calls, and only the first 512 are run. Look at their results, then make those that are still needed, fewer at a time."
	// A refused response is not acted upon, even when it holds calls.
	textRefusedCall = "Not run: the response that holds this call was stopped by the provider."
)

// What the user is told.
const (
	textTimeout = "Stopped: the time of this run is over (--timeout). The session is intact: go on with another prompt."
	textEmpty   = "the model answered with nothing several times in a row; say how to go on, or try another model"
	textPauses  = "the model paused its response again and again without finishing it; try again, or use another model"
	textLength  = "the answer was cut off at the model's limit for one response; ask for a smaller part, or raise maxOutput for the model"
	textContext = "the model's context window was full before the answer was complete"
)

func stepsReached(n int) string {
	return fmt.Sprintf("Stopped after %s, the limit of this run. The session is intact: go on with another prompt, or raise the limit (--max-steps, or maxSteps in your config).", amount.Of(n, "step"))
}

func dollars(micros int64) string { return fmt.Sprintf("$%.4f", float64(micros)/1e6) }

func costNear(spent, limit int64) string {
	return fmt.Sprintf("This turn has cost %s of at most %s.", dollars(spent), dollars(limit))
}

func costReached(spent, limit int64) string {
	return fmt.Sprintf("Stopped: this turn has cost %s, the limit is %s. The session is intact: go on with another prompt, or raise the limit (--max-cost, or maxCostUsd in your config).", dollars(spent), dollars(limit))
}

func refusal(detail string) string {
	return "the model refused to answer" + because(detail) + "; rephrase or drop the last prompt, or use another model"
}

func filtered(detail string) string {
	return "the provider's content filter stopped the answer" + because(detail) + "; rephrase the last prompt, or use another model"
}

func because(detail string) string {
	if detail == "" {
		return ""
	}
	return " (" + detail + ")"
}

func unknownStop(s llm.Stop) string {
	return fmt.Sprintf("the model stopped for a reason that is not known (%q)", s)
}

func overflowed(message string) string {
	if message == "" {
		message = textContext
	}
	return message + "; it cannot be made shorter: start a new session, take large files out of the prompt, offer fewer tools, or use a model with a larger context window"
}

// unfolded is the end of a conversation that was too long, in the words of who
// found it so; what kept it from being made shorter is told only where that can
// be mended.
func unfolded(message string, f Folded) string {
	if f.Least || f.Message == "" {
		return overflowed(message)
	}
	return message + "; it could not be made shorter: " + f.Message
}

func tooLong(message string, asked, limit time.Duration) string {
	return fmt.Sprintf("%s; the server asks to wait %s, longer than the limit of %s (retry.maxWait)", message, asked.Round(time.Second), limit)
}

func gaveUp(message string, tries int) string {
	return fmt.Sprintf("%s (given up after %s)", message, amount.Of(tries, "try", "tries"))
}
