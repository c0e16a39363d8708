package notes

import (
	"context"
	"fmt"
	"strings"

	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/tool"
)

// States of a task.
const (
	pending    = "pending"
	inProgress = "in_progress"
	done       = "done"
	blocked    = "blocked"
)

// mostTodos and longestTodo bound the list, which every step carries.
const (
	mostTodos   = 100
	longestTodo = 500
)

type todoInput struct {
	Todos []todo `json:"todos" jsonschema:"the whole list"`
}

type todo struct {
	Content string `json:"content"`
	Status  string `json:"status"`
	Note    string `json:"note,omitempty" jsonschema:"why it is blocked"`
}

// TodoWrite is the tool that replaces the task list. Set stores the list and
// tells whoever shows it; its error fails the call and leaves the former list.
func TodoWrite(set func(ctx context.Context, todos []event.Todo) error) tool.Tool {
	return tool.Define(tool.Definition{
		Name: "todo_write", Effect: policy.State, Set: tool.Session,
		Description: "Replace your task list. Keep it for work of three steps or more; exactly one task in_progress while work remains.",
		Title:       "todos",
		Enums:       map[string][]string{"todos.status": {pending, inProgress, done, blocked}},
		Bounds:      map[string]tool.Bound{"todos": {Max: mostTodos}, "todos.content": {Min: 1, Max: longestTodo}, "todos.note": {Max: longestTodo}},
	}, nil, func(ctx context.Context, _ gate.Hands, in todoInput) (tool.Result, error) {
		todos := make([]event.Todo, len(in.Todos))
		for i, t := range in.Todos {
			content := strings.Join(strings.Fields(t.Content), " ")
			if content == "" {
				return tool.Result{}, fmt.Errorf("write the task list: task %d has no content; nothing was changed", i+1)
			}
			todos[i] = event.Todo{Content: content, Status: t.Status, Note: strings.Join(strings.Fields(t.Note), " ")}
		}
		if err := set(ctx, todos); err != nil {
			return tool.Result{}, fmt.Errorf("write the task list: %w", err)
		}
		count := tally(todos)
		return tool.Result{Output: strings.Join(append([]string{count + "."}, Warnings(todos)...), "\n"), Summary: count}, nil
	})
}

// tally counts a list by state.
func tally(todos []event.Todo) string {
	if len(todos) == 0 {
		return "The task list is empty"
	}
	count := map[string]int{}
	for _, t := range todos {
		count[t.Status]++
	}
	var parts []string
	for _, s := range []string{done, inProgress, pending, blocked} {
		if count[s] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[s], strings.ReplaceAll(s, "_", " ")))
		}
	}
	noun := "tasks"
	if len(todos) == 1 {
		noun = "task"
	}
	return fmt.Sprintf("%d %s: %s", len(todos), noun, strings.Join(parts, ", "))
}

// Warnings says what is odd about a list: nothing or more than one task in
// progress while work remains, a blocked task without a reason.
func Warnings(todos []event.Todo) []string {
	var list []string
	running, left := 0, 0
	for _, t := range todos {
		switch t.Status {
		case inProgress:
			running++
		case pending:
			left++
		case blocked:
			if t.Note == "" {
				list = append(list, fmt.Sprintf("Warning: %q is blocked without a note; say what it waits for.", t.Content))
			}
		}
	}
	switch {
	case running > 1:
		list = append(list, fmt.Sprintf("Warning: %d tasks are in progress; work on one at a time.", running))
	case running == 0 && left > 0:
		list = append(list, "Warning: work remains and no task is in progress; mark the one that you work on.")
	}
	return list
}
