// Package storytest plays stories: what a user does and what must have come of
// it, written down once and told by every front alike.
//
// It owns the form of a story, the world that it plays in, and the checks of
// what is left: files, the session log, what was seen. It must never know how a
// front is driven: a test hands it the fronts. It is for tests only.
//
//	story file ── Read ──→ Story ──┐
//	                               ├─ Front.Tell: the real program, a person's acts ─→ Told
//	workspace, home, model ─ World ┘                                                    │
//	                               Check: files, log, answer, seen, hidden ←────────────┘
//
// Laws: each front gets a world of its own; the checks are the same for all;
// the log that is left is the same to the line, but for who gave an answer. What
// a front cannot do is said in the story with the reason, never left out in
// silence.
//
// # A story file
//
// It is a txtar archive. Its comment says the promise that is kept. Sections:
//
//	acts            what the user does, an act a line (below)
//	model           what the scripted model says, a response a line
//	model.FRONT     in place of it, where a front's words to the model differ
//	flags           arguments of the program, one a line
//	flags.FRONT     more of them for one front: where nobody can be asked, the
//	                rules that stand for the answers
//	config.json     the user's config
//	work/NAME       a file of the workspace; NAME.base64 is decoded
//	want            what must be true afterwards, a line each (below)
//	want/NAME       a file of the workspace as it must be
//	log             the session log as [Listing] writes it; -update writes it
//	not.FRONT       why this front does not tell the story
//
// Acts:
//
//	prompt TEXT     send it when nothing runs
//	queue TEXT      send it while a turn runs, to be begun after it
//	steer TEXT      give it to the running turn
//	until NAME      wait until this file of the workspace is there
//	touch NAME      make such a file, for which a command waits
//	allow           the waiting call, once
//	always          for this session
//	project         for this project
//	deny [TEXT]     with what to do instead
//	interrupt       end the running command
//	cancel          end the turn
//	resume TEXT     leave, come back to the same session and send it
//
// Lines of want:
//
//	shows TEXT      it was seen, however the rows broke; shows.FRONT for one
//	hides TEXT      it was seen nowhere, and stands in no file of the program
//	keeps TEXT      the user's config holds it; keeps.FRONT for one
//	missing NAME    the workspace has no such file
//	answer TEXT     the last answer of the log
//	exit N          the exit code; exit.FRONT for one
//
// {{SECRET}} stands for a text in the shape of a provider's key, made anew when
// the story is read, so that no file holds one.
package storytest
