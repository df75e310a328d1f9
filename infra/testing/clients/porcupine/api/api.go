// Package api calls the service as a customer's program does, at any of its instances.
package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net"
	"net/http"
	"strconv"
	"time"
)

const (
	// Longer than the service lets a request take.
	secondsMax = 90
	// How long a client waits when no process listens.
	pause = 50 * time.Millisecond
)

// Instance is a process of the functions: the base URLs of both APIs.
type Instance struct{ Users, Data string }

// Client sends one request after another, each to an instance that it draws.
type Client struct {
	Instances []Instance
	Random    *rand.Rand
	http      *http.Client
}

// NewClient returns a client that draws by a seed.
func NewClient(instances []Instance, seed int64) *Client {
	return &Client{instances, rand.New(rand.NewSource(seed)), &http.Client{Timeout: secondsMax * time.Second}}
}

// Request is a request of a customer. A body is sent as JSON.
type Request struct {
	OfData       bool
	Method, Path string
	Key          string
	Headers      map[string]string
	Body         any
}

// Answer is what a request was told.
type Answer struct {
	Status int
	ETag   string
	Body   []byte
	// Whether the service may have done what was asked, and did not say so.
	Unknown bool
}

// Do sends a request until it has reached the service, and was not refused for its rate.
func (client *Client) Do(request Request) Answer {
	for {
		answer, err := client.try(request)
		var notSent *net.OpError
		switch {
		case errors.As(err, &notSent) && notSent.Op == "dial":
			time.Sleep(pause)
		case err != nil || answer.Status >= 500:
			return Answer{Status: answer.Status, Unknown: true}
		case answer.Status == http.StatusTooManyRequests:
			time.Sleep(answer.wait)
		default:
			return answer.Answer
		}
	}
}

type timedAnswer struct {
	Answer
	wait time.Duration
}

func (client *Client) try(request Request) (timedAnswer, error) {
	instance := client.Instances[client.Random.Intn(len(client.Instances))]
	base := instance.Users
	if request.OfData {
		base = instance.Data
	}
	var body io.Reader
	if request.Body != nil {
		text, err := json.Marshal(request.Body)
		if err != nil {
			return timedAnswer{}, err
		}
		body = bytes.NewReader(text)
	}
	sent, err := http.NewRequestWithContext(context.Background(), request.Method, base+request.Path, body)
	if err != nil {
		return timedAnswer{}, err
	}
	// Go sends a request again by itself on a connection that ended, unless its body cannot be had again.
	sent.GetBody = nil
	sent.Close = true
	sent.Header.Set("x-api-key", request.Key)
	if body != nil {
		sent.Header.Set("content-type", "application/json")
	}
	for name, value := range request.Headers {
		sent.Header.Set(name, value)
	}
	response, err := client.http.Do(sent)
	if err != nil {
		return timedAnswer{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return timedAnswer{}, err
	}
	seconds, _ := strconv.Atoi(response.Header.Get("retry-after"))
	answer := Answer{Status: response.StatusCode, ETag: response.Header.Get("etag"), Body: text}
	return timedAnswer{answer, max(pause, time.Duration(seconds)*time.Second)}, nil
}

// Read reads a member of an answer's body, a JSON object, into target. It panics if there is none.
func (answer Answer) Read(member string, target any) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(answer.Body, &members); err != nil {
		panic(fmt.Sprintf("status %d without a JSON object: %s", answer.Status, answer.Body))
	}
	if err := json.Unmarshal(members[member], target); err != nil {
		panic(fmt.Sprintf("no %s in %s", member, answer.Body))
	}
}
