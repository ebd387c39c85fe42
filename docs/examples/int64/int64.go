// A struct whose fields are int64 needs nothing; this is for any and map[string]any.

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

func call(method, path string, body, result any) {
	var text bytes.Buffer
	if body != nil {
		json.NewEncoder(&text).Encode(body)
	}
	request, _ := http.NewRequest(method, os.Getenv("BASE_URL")+path, &text)
	request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	decoder := json.NewDecoder(response.Body)
	decoder.UseNumber() // without it, numbers become float64
	if err := decoder.Decode(result); err != nil {
		panic(err)
	}
}

func main() {
	var pets []map[string]any
	call("GET", "/pets?limit=1", nil, &pets)
	var created map[string]any
	call("POST", "/pets", map[string]any{"name": "Sunny, cream Maine Coon", "categoryId": pets[0]["categoryId"]}, &created)
	fmt.Println(pets[0]["id"], created["categoryId"])
}
