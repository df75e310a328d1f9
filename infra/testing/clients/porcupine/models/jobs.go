package models

import (
	"fmt"

	"github.com/anishathalye/porcupine"
)

// JobRequest is a request about the job that an Idempotency-Key stands for.
type JobRequest struct {
	IdempotencyKey string
	Kind           Kind
}

// JobAnswer is what the service said of the job.
type JobAnswer struct {
	HTTP    int
	Unknown bool
	ID      string
	Status  string
}

type jobState struct {
	// Empty if nobody was told it.
	id        string
	submitted bool
	// Empty while it is in work, or nobody was told how it ended.
	end string
	// Whether it has ended, in whatever way.
	isOver bool
}

// Jobs holds that an Idempotency-Key is one job, that a job ends once and stays so, and that a cancellation that was granted is how it ended.
// It may end by itself at any moment.
var Jobs = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		return partition(history, func(input any) string { return input.(JobRequest).IdempotencyKey })
	},
	Init: func() any { return jobState{} },
	Step: func(state, input, output any) (bool, any) {
		return stepJob(state.(jobState), input.(JobRequest), output.(JobAnswer))
	},
	DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v -> %+v", input, output) },
}

func stepJob(state jobState, request JobRequest, answer JobAnswer) (bool, any) {
	if request.Kind == Submit {
		state.submitted = true
		if answer.Unknown {
			return true, state
		}
		isSame := state.id == "" || state.id == answer.ID
		state.id = answer.ID
		return answer.HTTP == 202 && isSame, state
	}
	if request.Kind == Cancel {
		switch {
		case answer.Unknown && !state.isOver:
			state.isOver, state.end = true, "cancelled"
			return true, state
		case answer.Unknown:
			return true, state
		case answer.HTTP == 409:
			state.isOver = true
			return true, state
		}
		isLegal := answer.HTTP == 200 && !state.isOver
		state.isOver, state.end = true, "cancelled"
		return isLegal, state
	}
	isEnd := answer.Status == "completed" || answer.Status == "failed" || answer.Status == "cancelled"
	isLegal := answer.HTTP == 200 && state.submitted && (!state.isOver || isEnd && (state.end == "" || state.end == answer.Status))
	if isEnd {
		state.isOver, state.end = true, answer.Status
	}
	return isLegal, state
}

// partition parts a history by what its requests are about: these do not depend on each other.
func partition(history []porcupine.Operation, about func(input any) string) [][]porcupine.Operation {
	parts := map[string][]porcupine.Operation{}
	var order []string
	for _, operation := range history {
		name := about(operation.Input)
		if _, isKnown := parts[name]; !isKnown {
			order = append(order, name)
		}
		parts[name] = append(parts[name], operation)
	}
	all := make([][]porcupine.Operation, 0, len(order))
	for _, name := range order {
		all = append(all, parts[name])
	}
	return all
}
