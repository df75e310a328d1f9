package models

import (
	"fmt"

	"github.com/anishathalye/porcupine"
)

// KeyRequest is a request about one machine account, or one with a key of it.
type KeyRequest struct {
	Label string
	Kind  Kind
	Key   string
}

// KeyAnswer is what the service said. A rotation's has the new key.
type KeyAnswer struct {
	Status  int
	Unknown bool
	Key     string
}

// A key that nobody was told.
const untoldKey = "untold"

// Keys holds that a machine account has at most one key, that a rotation's answer ends the one before, and a removal's all, at every instance.
var Keys = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		return partition(history, func(input any) string { return input.(KeyRequest).Label })
	},
	Init: func() any { return "" },
	Step: func(state, input, output any) (bool, any) {
		return stepKey(state.(string), input.(KeyRequest), output.(KeyAnswer))
	},
	DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v -> %+v", input, output) },
}

func stepKey(current string, request KeyRequest, answer KeyAnswer) (bool, any) {
	switch request.Kind {
	case Use:
		isLet := answer.Status == 200
		return isLet == (request.Key == current) && (isLet || answer.Status == 401), current
	case Rotate:
		if answer.Unknown {
			return true, untoldKey
		}
		return answer.Status == map[bool]int{true: 201, false: 200}[current == ""], answer.Key
	default:
		if answer.Unknown {
			return true, ""
		}
		return answer.Status == map[bool]int{true: 404, false: 200}[current == ""], ""
	}
}
