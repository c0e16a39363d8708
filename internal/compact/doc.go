// Package compact shortens what a model is sent of a long conversation. It
// plans on items only and never touches the log: what it makes is a view.
//
// It must never know a provider, a file or a clock; the summary of what leaves
// is written by whoever carries the plan out, and a digest by rule stands in
// for it when nobody can.
//
// The ladder, widest first that fits a target well below the threshold, so that
// it is climbed rarely:
//
//	1 reasoning      vendor data and reasoning leave
//	2 results        old results become one line that names where they are kept;
//	                 the widest recent tail of them that fits stays whole
//	3 exchanges      the oldest exchanges leave for a summary; what the user
//	                 said in them stays, word for word within a budget, and
//	                 beyond it the first and the newest, the longest of them cut
//	4 the rest       results that are left are cut to their head and tail
//
// Laws: no result without its call and no call without its result, save a call
// that still waits for one, which stays; the order of what stays is kept; the
// user's messages survive within their budget, the first and the newest in any
// case, and how many did not is said; the plan is smaller than what it was made of, or
// says that it is not; the same items give the same plan.
package compact
