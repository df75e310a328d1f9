// Package expect ends a program with a message when something is not as it must be.
package expect

import (
	"errors"
	"log"
	"reflect"
	"strings"

	"google.golang.org/api/googleapi"
)

// Success ends the program with an error that there is.
func Success(err error) {
	if err != nil {
		log.Panic(err)
	}
}

// Same ends the program unless both are deeply equal.
func Same(expected, actual any) {
	if !reflect.DeepEqual(expected, actual) {
		log.Panicf("expected %v (%T), got %v (%T)", expected, expected, actual, actual)
	}
}

// Refused ends the program unless Google's API refused with a status and with words in its message.
func Refused(err error, status int, words string) {
	var refusal *googleapi.Error
	if !errors.As(err, &refusal) || refusal.Code != status || !strings.Contains(refusal.Error(), words) {
		log.Panicf("not refused with %d %q: %v", status, words, err)
	}
}
