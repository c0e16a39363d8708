package turn_test

import (
	"reflect"
	"testing"

	"assent/internal/llm"
	"assent/internal/turn"
)

// beat is a fact and the orders that must follow.
type beat struct {
	fact   turn.Fact
	orders []turn.Order
}

// anyText stands for a text that the test does not look at.
const anyText = "*"

func tell(t *testing.T, beats []beat) {
	t.Helper()
	var s turn.State
	for i, b := range beats {
		var got []turn.Order
		s, got = turn.Step(s, b.fact)
		for j := range got {
			if j < len(b.orders) {
				got[j] = mute(got[j], b.orders[j])
			}
		}
		if len(got) != len(b.orders) || len(got) > 0 && !reflect.DeepEqual(got, b.orders) {
			t.Fatalf("fact %d, %#v:\n got %#v\nwant %#v", i, b.fact, got, b.orders)
		}
	}
}

// mute replaces texts where anyText is wanted.
func mute(got, want turn.Order) turn.Order {
	switch w := want.(type) {
	case turn.Note:
		if g, ok := got.(turn.Note); ok && w.Text == anyText && g.Text != "" {
			return w
		}
	case turn.Notice:
		if g, ok := got.(turn.Notice); ok && w.Text == anyText && g.Text != "" {
			return w
		}
	case turn.Settle:
		if g, ok := got.(turn.Settle); ok && w.Text == anyText && g.Text != "" {
			g.Text = anyText
			return g
		}
	case turn.Fail:
		if g, ok := got.(turn.Fail); ok && w.Message == anyText && g.Message != "" {
			g.Message = anyText
			return g
		}
	}
	return got
}

func calls(c ...turn.Call) turn.Said {
	return turn.Said{Stop: llm.StopCalls, Calls: c}
}

func ok(id string) turn.Finished { return turn.Finished{CallID: id, Status: llm.StatusOK} }

func settled(id string) turn.Settle { return turn.Settle{CallID: id, Status: llm.StatusOK} }

func TestStories(t *testing.T) {
	t.Parallel()
	type orders = []turn.Order
	begin := beat{turn.Submitted{}, orders{turn.SaveUser{}, turn.Ask{Step: 1, Try: 1}}}
	stories := map[string][]beat{
		"an answer": {
			begin,
			{turn.Said{Stop: llm.StopEnd, Text: true}, orders{turn.SaveAssistant{}, turn.End{Reason: turn.Stop}}},
			{turn.Said{Stop: llm.StopEnd, Text: true}, nil},
			{turn.Cancelled{}, nil},
		},
		"reads run together and are saved in order, a write waits": {
			begin,
			{calls(turn.Call{ID: "a", Read: true}, turn.Call{ID: "b", Read: true}, turn.Call{ID: "c"}), orders{
				turn.SaveAssistant{}, turn.Permit{CallID: "a"}, turn.Permit{CallID: "b"},
			}},
			{turn.Granted{CallID: "b"}, orders{turn.SaveCall{CallID: "b"}, turn.Run{CallID: "b"}}},
			{turn.Granted{CallID: "a"}, orders{turn.SaveCall{CallID: "a"}, turn.Run{CallID: "a"}}},
			{ok("b"), nil},
			{ok("a"), orders{settled("a"), settled("b"), turn.Permit{CallID: "c"}}},
			{turn.Denied{CallID: "c"}, orders{turn.SaveCall{CallID: "c"}, turn.Settle{CallID: "c", Status: llm.StatusDenied}, turn.Ask{Step: 2, Try: 1}}},
		},
		"the user denies and cancels": {
			begin,
			{calls(turn.Call{ID: "a"}, turn.Call{ID: "b"}), orders{turn.SaveAssistant{}, turn.Permit{CallID: "a"}}},
			{turn.Denied{CallID: "a", Cancel: true}, orders{
				turn.SaveCall{CallID: "a"},
				turn.Settle{CallID: "a", Status: llm.StatusDenied, Best: true},
				turn.Settle{CallID: "b", Status: llm.StatusCancelled, Text: anyText, Best: true},
				turn.End{Reason: turn.Cancel},
			}},
		},
		"CTX-01 a cancel while a call runs": {
			begin,
			{calls(turn.Call{ID: "a"}, turn.Call{ID: "b"}), orders{turn.SaveAssistant{}, turn.Permit{CallID: "a"}}},
			{turn.Granted{CallID: "a"}, orders{turn.SaveCall{CallID: "a"}, turn.Run{CallID: "a"}}},
			{turn.Cancelled{}, orders{turn.StopTools{}}},
			{turn.Cancelled{}, nil},
			{turn.Finished{CallID: "a", Status: llm.StatusCancelled}, orders{
				turn.Settle{CallID: "a", Status: llm.StatusCancelled, Best: true},
				turn.Settle{CallID: "b", Status: llm.StatusCancelled, Text: anyText, Best: true},
				turn.End{Reason: turn.Cancel},
			}},
			{ok("a"), nil},
		},
		"a cancel while the model speaks keeps what it said": {
			begin,
			{turn.Cancelled{}, orders{turn.StopModel{}}},
			{turn.Broke{Kind: llm.KindNetwork, Retryable: true, Text: true}, orders{turn.SaveAssistant{Best: true}, turn.End{Reason: turn.Cancel}}},
		},
		"a cancel during a wait": {
			begin,
			{turn.Broke{Kind: llm.KindNetwork, Message: "reset", Retryable: true, RetryAfter: 3}, orders{turn.Wait{For: 3, Reason: "reset", Try: 1}}},
			{turn.Cancelled{}, orders{turn.StopModel{}, turn.End{Reason: turn.Cancel}}},
			{turn.Waited{}, nil},
		},
		"the wall time": {
			begin,
			{turn.TimedOut{}, orders{turn.Notice{Text: anyText}, turn.StopModel{}}},
			{turn.Broke{Kind: llm.KindNetwork}, orders{turn.End{Reason: turn.Timeout}}},
		},
		"steering enters after the results": {
			begin,
			{calls(turn.Call{ID: "a"}), orders{turn.SaveAssistant{}, turn.Permit{CallID: "a"}}},
			{turn.Steered{ID: 7}, orders{turn.SaveSteer{ID: 7}}},
			{turn.Granted{CallID: "a"}, orders{turn.SaveCall{CallID: "a"}, turn.Run{CallID: "a"}}},
			{ok("a"), orders{settled("a"), turn.Enter{ID: 7}, turn.Ask{Step: 2, Try: 1}}},
		},
		"steering during the last answer brings another step": {
			begin,
			{turn.Steered{ID: 1}, orders{turn.SaveSteer{ID: 1}}},
			{turn.Said{Stop: llm.StopEnd, Text: true}, orders{turn.SaveAssistant{}, turn.Enter{ID: 1}, turn.Ask{Step: 2, Try: 1}}},
		},
		"a cancel takes steering back that has not entered": {
			begin,
			{turn.Steered{ID: 1}, orders{turn.SaveSteer{ID: 1}}},
			{turn.Said{Stop: llm.StopEnd, Text: true}, orders{turn.SaveAssistant{}, turn.Enter{ID: 1}, turn.Ask{Step: 2, Try: 1}}},
			{turn.Steered{ID: 2}, orders{turn.SaveSteer{ID: 2}}},
			{turn.Steered{ID: 3}, orders{turn.SaveSteer{ID: 3}}},
			{turn.Cancelled{}, orders{turn.StopModel{}}},
			{turn.Broke{Kind: llm.KindNetwork}, orders{turn.Withdraw{IDs: []int{2, 3}}, turn.End{Reason: turn.Cancel}}},
		},
		"the wall time takes no steering back": {
			begin,
			{turn.Steered{ID: 1}, orders{turn.SaveSteer{ID: 1}}},
			{turn.TimedOut{}, orders{turn.Notice{Text: anyText}, turn.StopModel{}}},
			{turn.Broke{Kind: llm.KindNetwork}, orders{turn.Enter{ID: 1}, turn.End{Reason: turn.Timeout}}},
		},
		"PROV-14 a stream cut after output is asked for again once": {
			begin,
			{turn.Broke{Kind: llm.KindNetwork, Message: "cut", Retryable: true, RetryAfter: 1, Text: true}, orders{
				turn.SaveAssistant{Void: true}, turn.Void{}, turn.Note{Text: anyText}, turn.Wait{For: 1, Reason: "cut", Try: 1},
			}},
			{turn.Waited{}, orders{turn.Ask{Step: 1, Try: 2}}},
			{turn.Said{Stop: llm.StopEnd, Text: true}, orders{turn.SaveAssistant{}, turn.End{Reason: turn.Stop}}},
		},
		"what was shown of a response without a text is taken back": {
			begin,
			{turn.Broke{Kind: llm.KindNetwork, Message: "cut", Retryable: true, RetryAfter: 1, Told: true}, orders{
				turn.Void{}, turn.Wait{For: 1, Reason: "cut", Try: 1},
			}},
			{turn.Waited{}, orders{turn.Ask{Step: 1, Try: 2}}},
			{turn.Broke{Kind: llm.KindOverflow, Told: true}, orders{turn.Void{}, turn.Fold{Reason: "overflow", Tell: true}}},
		},
		"an overflow that nothing helps ends in the words of the server": {
			begin,
			{turn.Broke{Kind: llm.KindOverflow, Message: "400: at most 8192"}, orders{turn.Fold{Reason: "overflow", Tell: true}}},
			{turn.Folded{Message: "no room", Least: true}, orders{
				turn.Fail{Kind: llm.KindOverflow, Message: "400: at most 8192; it cannot be made shorter: start a new session, take large files out of the prompt, offer fewer tools, or use a model with a larger context window"},
				turn.End{Reason: turn.Context},
			}},
		},
		"what kept the conversation from being made shorter is told": {
			begin,
			{turn.Broke{Kind: llm.KindOverflow, Message: "400: at most 8192"}, orders{turn.Fold{Reason: "overflow", Tell: true}}},
			{turn.Folded{Message: "the disk is full"}, orders{
				turn.Fail{Kind: llm.KindOverflow, Message: "400: at most 8192; it could not be made shorter: the disk is full"},
				turn.End{Reason: turn.Context},
			}},
		},
		"a half text that nobody asks for again is no void one": {
			begin,
			{turn.Broke{Kind: llm.KindProvider, Message: "bad", Text: true, Told: true}, orders{
				turn.SaveAssistant{}, turn.Fail{Kind: llm.KindProvider, Message: "bad"}, turn.End{Reason: turn.Error},
			}},
		},
		"the second break of a step says how often it was tried": {
			begin,
			{turn.Broke{Kind: llm.KindNetwork, Message: "cut", Retryable: true, RetryAfter: 1, Text: true}, orders{
				turn.SaveAssistant{Void: true}, turn.Void{}, turn.Note{Text: anyText}, turn.Wait{For: 1, Reason: "cut", Try: 1},
			}},
			{turn.Waited{}, orders{turn.Ask{Step: 1, Try: 2}}},
			{turn.Broke{Kind: llm.KindNetwork, Message: "cut", Retryable: true, RetryAfter: 1, Text: true}, orders{
				turn.SaveAssistant{}, turn.Fail{Kind: llm.KindNetwork, Message: "cut (given up after 2 tries)", Retryable: true}, turn.End{Reason: turn.Error},
			}},
		},
		"PROV-27 an empty answer is nudged": {
			begin,
			{turn.Said{Stop: llm.StopEnd}, orders{turn.Note{Text: anyText}, turn.Ask{Step: 2, Try: 1}}},
			{turn.Said{Stop: llm.StopEnd, Text: true}, orders{turn.SaveAssistant{}, turn.End{Reason: turn.Stop}}},
		},
		"PROV-21 PROV-23 cut calls are answered and never run": {
			begin,
			{turn.Said{Stop: llm.StopLength, Calls: []turn.Call{{ID: "a"}, {ID: "b", Invalid: "no JSON"}}}, orders{
				turn.SaveAssistant{},
				turn.Settle{CallID: "a", Status: llm.StatusError, Text: anyText},
				turn.Settle{CallID: "b", Status: llm.StatusError, Text: anyText},
				turn.Ask{Step: 2, Try: 1},
			}},
		},
		"invalid calls are answered in their place": {
			begin,
			{calls(turn.Call{ID: "a", Invalid: "no such tool"}, turn.Call{ID: "b"}, turn.Call{ID: "c", Invalid: "bad"}), orders{
				turn.SaveAssistant{}, turn.Settle{CallID: "a", Status: llm.StatusError, Text: "no such tool"}, turn.Permit{CallID: "b"},
			}},
			{turn.Granted{CallID: "b"}, orders{turn.SaveCall{CallID: "b"}, turn.Run{CallID: "b"}}},
			{ok("b"), orders{settled("b"), turn.Settle{CallID: "c", Status: llm.StatusError, Text: "bad"}, turn.Ask{Step: 2, Try: 1}}},
		},
		"a question stays open and ends the turn": {
			begin,
			{calls(turn.Call{ID: "a"}, turn.Call{ID: "b"}), orders{turn.SaveAssistant{}, turn.Permit{CallID: "a"}}},
			{turn.Granted{CallID: "a"}, orders{turn.SaveCall{CallID: "a"}, turn.Run{CallID: "a"}}},
			{turn.Finished{CallID: "a", Waits: true}, orders{
				turn.Settle{CallID: "b", Status: llm.StatusError, Text: anyText}, turn.End{Reason: turn.Question},
			}},
			{turn.Submitted{Calls: []turn.Call{{ID: "a", Status: llm.StatusOK}}}, orders{settled("a"), turn.Ask{Step: 1, Try: 1}}},
		},
		"undecided calls are decided after a resume": {
			{turn.Submitted{Calls: []turn.Call{{ID: "a", Status: llm.StatusInterrupted}, {ID: "b"}}, Steers: []int{4}}, orders{
				turn.Settle{CallID: "a", Status: llm.StatusInterrupted}, turn.Permit{CallID: "b"},
			}},
			{turn.Granted{CallID: "b"}, orders{turn.SaveCall{CallID: "b"}, turn.Run{CallID: "b"}}},
			{ok("b"), orders{settled("b"), turn.Enter{ID: 4}, turn.Ask{Step: 1, Try: 1}}},
		},
		"SESS-11 the user's message cannot be saved": {
			begin,
			{turn.SaveFailed{At: 0, Message: "disk full"}, orders{
				turn.Fail{Kind: llm.KindPersistence, Message: "disk full"}, turn.End{Reason: turn.Error},
			}},
			{turn.Submitted{}, orders{turn.SaveUser{}, turn.Ask{Step: 1, Try: 1}}},
		},
		"SESS-11 a response cannot be saved": {
			begin,
			{calls(turn.Call{ID: "a"}), orders{turn.SaveAssistant{}, turn.Permit{CallID: "a"}}},
			{turn.SaveFailed{At: 0, Message: "disk full"}, orders{
				turn.Fail{Kind: llm.KindPersistence, Message: "disk full"}, turn.End{Reason: turn.Error},
			}},
		},
		"SESS-11 a call cannot be saved and does not run": {
			begin,
			{calls(turn.Call{ID: "a"}), orders{turn.SaveAssistant{}, turn.Permit{CallID: "a"}}},
			{turn.Granted{CallID: "a"}, orders{turn.SaveCall{CallID: "a"}, turn.Run{CallID: "a"}}},
			{turn.SaveFailed{At: 0, Message: "disk full"}, orders{
				turn.Settle{CallID: "a", Status: llm.StatusCancelled, Text: anyText, Best: true},
				turn.Fail{Kind: llm.KindPersistence, Message: "disk full"},
				turn.End{Reason: turn.Error},
			}},
		},
		"HEAD-08 the cost is warned of and then stops the next step": {
			{turn.Submitted{Limits: turn.Limits{MaxMicros: 100}}, orders{turn.SaveUser{}, turn.Ask{Step: 1, Try: 1}}},
			{turn.Spent{Micros: 79}, nil},
			{turn.Spent{Micros: 1}, orders{turn.Notice{Text: anyText}}},
			{turn.Spent{Micros: 10}, nil},
			{turn.Spent{Micros: 10}, nil},
			{calls(turn.Call{ID: "a"}), orders{turn.SaveAssistant{}, turn.Permit{CallID: "a"}}},
			{turn.Granted{CallID: "a"}, orders{turn.SaveCall{CallID: "a"}, turn.Run{CallID: "a"}}},
			{ok("a"), orders{settled("a"), turn.Notice{Text: anyText}, turn.End{Reason: turn.MaxCost}}},
		},
		"HEAD-09 the step cap ends with every call answered": {
			{turn.Submitted{Limits: turn.Limits{Steps: 1}}, orders{turn.SaveUser{}, turn.Ask{Step: 1, Try: 1}}},
			{calls(turn.Call{ID: "a"}), orders{turn.SaveAssistant{}, turn.Permit{CallID: "a"}}},
			{turn.Granted{CallID: "a"}, orders{turn.SaveCall{CallID: "a"}, turn.Run{CallID: "a"}}},
			{ok("a"), orders{settled("a"), turn.Notice{Text: anyText}, turn.End{Reason: turn.MaxSteps}}},
		},
		"CTX-23 what was added since counts, and the history is folded before the next step": {
			{turn.Submitted{Limits: turn.Limits{Threshold: 100}}, orders{turn.SaveUser{}, turn.Ask{Step: 1, Try: 1}}},
			{turn.Said{Stop: llm.StopCalls, Calls: []turn.Call{{ID: "a"}}, Size: 90, Threshold: 100}, orders{turn.SaveAssistant{}, turn.Permit{CallID: "a"}}},
			{turn.Granted{CallID: "a"}, orders{turn.SaveCall{CallID: "a"}, turn.Run{CallID: "a"}}},
			{turn.Finished{CallID: "a", Status: llm.StatusOK, Size: 20}, orders{settled("a"), turn.Fold{Reason: "threshold", Tell: true}}},
			{turn.Folded{OK: true, Size: 40}, orders{turn.Ask{Step: 2, Try: 1}}},
			{turn.Said{Stop: llm.StopCalls, Calls: []turn.Call{{ID: "a", Invalid: "x"}}, Size: 110, Threshold: 100}, orders{
				turn.SaveAssistant{}, turn.Settle{CallID: "a", Status: llm.StatusError, Text: "x"}, turn.Fold{Reason: "threshold"},
			}},
		},
		"CTX-12 CTX-13 a refused request is sent again in a plainer form": {
			begin,
			{turn.Broke{Kind: llm.KindProvider, Message: "bad signature", Refused: true}, orders{turn.Rebuild{Form: turn.FormBare}}},
			{turn.Rebuilt{}, orders{turn.Rebuild{Form: turn.FormBlind}}},
			{turn.Rebuilt{Changed: true}, orders{turn.Ask{Step: 1, Try: 2}}},
			{turn.Broke{Kind: llm.KindProvider, Message: "bad", Refused: true}, orders{turn.Fail{Kind: llm.KindProvider, Message: "bad"}, turn.End{Reason: turn.Error}}},
		},
	}
	for name, beats := range stories {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tell(t, beats)
		})
	}
}

// The first of calls that were left open is decided alone; those of a response
// that follows are not.
func TestReadsAfterACallThatWasLeftOpen(t *testing.T) {
	t.Parallel()
	reads := func(ids ...string) (calls []turn.Call) {
		for _, id := range ids {
			calls = append(calls, turn.Call{ID: id, Read: true})
		}
		return calls
	}
	tell(t, []beat{
		{turn.Submitted{Calls: reads("a", "b", "c")}, []turn.Order{turn.Permit{CallID: "a"}}},
		{turn.Granted{CallID: "a"}, []turn.Order{
			turn.SaveCall{CallID: "a"}, turn.Run{CallID: "a"}, turn.Permit{CallID: "b"}, turn.Permit{CallID: "c"},
		}},
	})
	answered := []turn.Call{{ID: "q", Status: llm.StatusOK}}
	tell(t, []beat{
		{turn.Submitted{Calls: answered}, []turn.Order{turn.Settle{CallID: "q", Status: llm.StatusOK}, turn.Ask{Step: 1, Try: 1}}},
		{turn.Said{Stop: llm.StopCalls, Keep: true, Calls: reads("a", "b")}, []turn.Order{
			turn.SaveAssistant{}, turn.Permit{CallID: "a"}, turn.Permit{CallID: "b"},
		}},
	})
}
