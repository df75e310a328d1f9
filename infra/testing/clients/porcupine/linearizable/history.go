package main

import (
	"math"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
)

// The end of a request that may take effect at any time from its start on.
const forever = math.MaxInt64

// history is what the clients asked and were told, with the moments of both.
type history struct {
	mutex      sync.Mutex
	started    time.Time
	operations []porcupine.Operation
}

func newHistory() *history { return &history{started: time.Now()} }

// record adds a request that do sends. do returns its answer, whether its effect is unknown, and whether it tells anything.
func (history *history) record(client int, input any, do func() (output any, isUnknown, isTold bool)) any {
	call := time.Since(history.started).Nanoseconds()
	output, isUnknown, isTold := do()
	end := time.Since(history.started).Nanoseconds()
	if !isTold {
		return output
	}
	if isUnknown {
		end = forever
	}
	history.mutex.Lock()
	defer history.mutex.Unlock()
	operation := porcupine.Operation{ClientId: client, Input: input, Call: call, Output: output, Return: end}
	history.operations = append(history.operations, operation)
	return output
}

func (history *history) count() int {
	history.mutex.Lock()
	defer history.mutex.Unlock()
	return len(history.operations)
}
