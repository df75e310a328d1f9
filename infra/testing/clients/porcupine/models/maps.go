// Package models says how maps, keys and jobs answer if each request takes effect at one moment between its start and its answer.
package models

import (
	"fmt"

	"github.com/anishathalye/porcupine"
)

// Kind is what a request does.
type Kind string

const (
	Create  Kind = "create"
	Read    Kind = "read"
	List    Kind = "list"
	Write   Kind = "write"
	Monitor Kind = "monitor"
	Remove  Kind = "remove"
	Use     Kind = "use"
	Rotate  Kind = "rotate"
	Submit  Kind = "submit"
	Cancel  Kind = "cancel"
)

// MapRequest is a request about one map. Write and Remove are conditional where IfMatch is not empty.
type MapRequest struct {
	Map       string
	Kind      Kind
	Name      string
	IfMatch   string
	IsEnabled bool
}

// MapAnswer is what the service said of a map. Lists have no ETag.
type MapAnswer struct {
	Status      int
	Unknown     bool
	ETag        string
	Name        string
	IsMonitored bool
}

type mapState struct {
	exists      bool
	name        string
	isMonitored bool
	// Empty if nobody was told it.
	etag string
}

// Maps holds that a map is one value: it is read as it was written last, a conditional change finds the version that it names, and what is deleted is
// gone, for requests at any instance.
var Maps = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		return partition(history, func(input any) string { return input.(MapRequest).Map })
	},
	Init: func() any { return mapState{} },
	Step: func(state, input, output any) (bool, any) {
		return stepMap(state.(mapState), input.(MapRequest), output.(MapAnswer))
	},
	DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v -> %+v", input, output) },
}

func stepMap(state mapState, request MapRequest, answer MapAnswer) (bool, any) {
	changed := state.after(request, answer)
	isOther := request.IfMatch != "" && state.etag != "" && state.etag != request.IfMatch
	switch {
	// A request whose effect is unknown may also have none: then its moment is after all others.
	case answer.Unknown && (!state.exists || isOther):
		return true, state
	case answer.Unknown:
		return true, changed
	case request.Kind == Create:
		return !state.exists && answer.Status == 201, changed
	case !state.exists:
		return answer.Status == 404, state
	case request.IfMatch != "" && answer.Status == 412:
		return state.etag != request.IfMatch, state
	case isOther:
		return false, state
	case request.Kind == Read || request.Kind == List:
		isSame := answer.Name == state.name && answer.IsMonitored == state.isMonitored
		isVersion := request.Kind == List || state.etag == "" || state.etag == answer.ETag
		return answer.Status == 200 && isSame && isVersion, changed
	case request.Kind == Write:
		return answer.Status == 200 && answer.ETag != state.etag && answer.Name == request.Name, changed
	default:
		return answer.Status == 200, changed
	}
}

// after returns the state once the request has taken effect.
func (state mapState) after(request MapRequest, answer MapAnswer) mapState {
	switch request.Kind {
	case Create:
		return mapState{exists: true, name: request.Name, etag: answer.ETag}
	case Read:
		state.etag = answer.ETag
	case Write:
		state.name, state.etag = request.Name, answer.ETag
	case Monitor:
		// The version may or may not be another one.
		state.isMonitored, state.etag = request.IsEnabled, ""
	case Remove:
		return mapState{}
	}
	return state
}
