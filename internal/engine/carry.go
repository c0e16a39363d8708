package engine

import (
	"fmt"

	"assent/internal/event"
	"assent/internal/llm"
	"assent/internal/session"
	"assent/internal/turn"
)

// carry carries out one order. The error is that of a save which must not
// fail.
func (r *run) carry(o turn.Order) error {
	switch o := o.(type) {
	case turn.SaveUser:
		return r.saveUser()
	case turn.SaveSteer:
		return r.saveSteer(o.ID)
	case turn.Enter:
		r.enter(o.ID)
	case turn.Withdraw:
		r.withdraw(o.IDs)
	case turn.Ask:
		r.ask(o)
	case turn.SaveAssistant:
		return r.saveAssistant(o)
	case turn.Void:
		r.tell(event.Void{Step: r.state.Steps()})
	case turn.Permit:
		r.permit(o.CallID)
	case turn.SaveCall:
		return r.saveCall(o.CallID)
	case turn.Run:
		r.runCall(o.CallID)
	case turn.Settle:
		return r.settle(o)
	case turn.Note:
		r.append(llm.Note{Text: o.Text})
	case turn.Wait:
		r.tell(event.Retry{Reason: o.Reason, Attempt: o.Try, Wait: o.For})
		r.wait.Reset(o.For)
	case turn.Fold:
		r.fold(o)
	case turn.Rebuild:
		r.rebuild(o.Form)
	case turn.Notice:
		r.notice(o.Text)
	case turn.Fail:
		r.done.Failure = &llm.Failure{Kind: o.Kind, Message: o.Message, Retryable: o.Retryable}
		r.tell(event.Error{Message: o.Message, Kind: o.Kind, Retryable: o.Retryable})
	case turn.StopModel:
		r.wait.Stop()
		r.model.stop()
		r.grace.Reset(r.e.o.Grace)
	case turn.StopTools:
		r.tools.stop()
		r.grace.Reset(r.e.o.Grace)
	case turn.End:
		r.end(o.Reason)
	}
	return nil
}

// save stores a record. A failure is returned for the caller to act on.
func (r *run) save(rec session.Record) error { return r.e.save(rec) }

func (e *Engine) save(rec session.Record) error {
	if e.o.Log == nil {
		return nil
	}
	if err := e.o.Log.Append(rec); err != nil {
		return fmt.Errorf("store the %s record: %w; free some space or check the folder of the sessions, then go on", rec.Type(), err)
	}
	return nil
}

// saveBest stores a record whose loss the turn survives.
func (r *run) saveBest(rec session.Record) {
	if err := r.save(rec); err != nil {
		r.tell(event.Notice{Text: "Could not " + err.Error()})
	}
}

// notice tells the user something and keeps it.
func (r *run) notice(text string) {
	r.saveBest(session.Notice{Text: text})
	r.tell(event.Notice{Text: text})
}

// images stores pictures beside the log. With an error come those that were
// stored before it.
func (r *run) images(list []llm.Image) ([]session.Image, error) {
	if r.e.o.Log == nil {
		return nil, nil
	}
	var kept []session.Image
	for _, im := range list {
		image, err := r.e.o.Log.Image(im.MIME, im.Name, im.Data)
		if err != nil {
			return kept, fmt.Errorf("store an image: %w", err)
		}
		kept = append(kept, image)
	}
	return kept, nil
}

func (r *run) saveUser() error {
	s := r.submit
	images, err := r.images(s.Images)
	if err != nil {
		return err
	}
	if err := r.save(session.User{Text: s.Text, Expanded: s.Expanded, Images: images}); err != nil {
		return err
	}
	r.append(llm.User{Text: shown(s.Text, s.Expanded), Images: s.Images})
	r.tell(event.Prompt{Text: s.Text})
	return nil
}

func (r *run) saveSteer(id int) error {
	s := r.steered[id]
	r.pending = nil
	err := r.storeSteer(s)
	if err == nil {
		r.outside++
	}
	s.taken <- err
	return err
}

func (r *run) storeSteer(s steering) error {
	images, err := r.images(s.Images)
	if err != nil {
		return err
	}
	return r.save(session.Steer{Text: s.Text, Expanded: s.Expanded, Images: images})
}

// enter lets a stored message into the conversation.
func (r *run) enter(id int) {
	s := r.steered[id]
	r.outside--
	r.append(llm.User{Text: shown(s.Text, s.Expanded), Images: s.Images})
	r.tell(event.Prompt{Text: s.Text, Steer: true})
}

// withdraw takes stored messages back that did not enter. Who sent them knows
// from the end of the turn which ones did not. When it cannot be stored they
// enter: the conversation in memory stays the one on disk.
func (r *run) withdraw(ids []int) {
	if err := r.save(session.Withdrawn{Count: len(ids)}); err != nil {
		for _, id := range ids {
			r.enter(id)
		}
		r.tell(event.Notice{Text: "Could not take back what was given to the running turn: " + err.Error()})
		return
	}
	r.outside -= len(ids)
}

// end closes the books of the turn.
func (r *run) end(why turn.Reason) {
	r.seeAgain()
	r.done.Reason = why
	r.done.Steps = r.state.Steps()
	r.done.Duration = max(r.e.o.Now().Sub(r.begun)-(r.e.o.Waited()-r.idle), 0)
	if !r.priced {
		r.done.Usage.CostUSD = nil
	}
	ms := r.done.Duration.Milliseconds()
	closing := session.Timing{Reason: string(why), DurationMS: ms, Steps: r.done.Steps}
	if f := r.done.Failure; f != nil {
		closing.Error, closing.Kind = f.Message, f.Kind
	}
	r.saveBest(closing)
	r.tell(event.Done{Reason: string(why), Usage: r.done.Usage, Steps: r.done.Steps, DurationMS: ms})
}
