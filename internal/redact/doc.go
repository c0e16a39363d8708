// Package redact owns the shapes of credentials: it finds them in text and
// masks them, whole or in a stream.
//
// It must never know where text comes from or goes to. What it masks is sure
// to be a credential by its shape, or was named by the user (New); it guesses
// nothing from words such as "password", because a masked file can no longer
// be edited.
//
//	m := redact.New(ownKeys...)
//	text, n := m.String(output)
//
//	s := m.Stream()
//	out := s.Write(chunk) + s.Write(chunk) + s.Flush()
//
// Laws: a stream gives what String gives, however the text is cut into chunks;
// masking masked text changes nothing; a stream holds back only what may still
// become a credential, and never more than a private key block.
package redact
