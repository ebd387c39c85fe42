// Run: go test

package pets

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
)

var store struct{ BaseURL, Key string }

func TestMain(m *testing.M) {
	stop, err := startStore()
	if err != nil {
		fmt.Fprintln(os.Stderr, "The store did not start:", err)
		os.Exit(1)
	}
	code := m.Run()
	stop()
	os.Exit(code)
}

func startStore() (stop func(), err error) {
	command := exec.Command("bin/petstore", "serve", "--ephemeral", "--port", "0", "--json", "--until-stdin-ends")
	command.Stderr = os.Stderr
	stdin, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	stop = func() {
		stdin.Close()
		command.Wait()
	}
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &store)
	}
	return stop, err
}

// useStore gives a test the empty store, and empties it after the test.
func useStore(t *testing.T) {
	t.Helper()
	t.Cleanup(func() { send(t, "POST", strings.Replace(store.BaseURL, "/v1", "/test-bench/reset", 1), "") })
}

func call(t *testing.T, method, path, body string) string {
	t.Helper()
	return send(t, method, store.BaseURL+path, body)
}

func send(t *testing.T, method, url, body string) string {
	t.Helper()
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+store.Key)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 400 {
		t.Fatal(response.Status, string(text), err)
	}
	return string(text)
}

func TestACreatedPetIsListed(t *testing.T) {
	useStore(t)
	call(t, "POST", "/categories", `{"name":"Cats"}`)
	created := call(t, "POST", "/pets", `{"name":"Sunny, cream Maine Coon","categoryId":1}`)

	if listed := call(t, "GET", "/pets", ""); listed != "["+created+"]" {
		t.Fatal(listed)
	}
}

func TestAnotherTestBeginsWithAnEmptyStore(t *testing.T) {
	useStore(t)
	call(t, "POST", "/categories", `{"name":"Cats"}`)
	created := call(t, "POST", "/pets", `{"name":"Percy, brown Birman","categoryId":1}`)

	if !strings.HasPrefix(created, `{"id":1,`) {
		t.Fatal(created)
	}
}
