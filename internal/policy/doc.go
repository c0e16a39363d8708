// Package policy decides: it holds the words of a decision (effect, subject,
// plan, verdict) and the ordered rules that judge subjects. It is pure; paths
// come to it resolved, and configuration comes as rules with their source.
package policy
