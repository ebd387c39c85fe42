// Reads lines of a pattern, a text (UTF-8 in hexadecimal) and 1 or 0; says where RE2 disagrees.
package main

import (
	"encoding/hex"
	"fmt"
	"os"
	"regexp"
	"strings"
)

func main() {
	lines, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	exitCode := 0
	for _, line := range strings.Split(strings.TrimRight(string(lines), "\n"), "\n") {
		parts := strings.Split(line, ",")
		pattern, text := decode(parts[0]), decode(parts[1])
		if regexp.MustCompile(pattern).MatchString(text) != (parts[2] == "1") {
			fmt.Fprintf(os.Stderr, "%s on %q\n", pattern, text)
			exitCode = 1
		}
	}
	os.Exit(exitCode)
}

func decode(hexadecimal string) string {
	text, err := hex.DecodeString(hexadecimal)
	if err != nil {
		panic(err)
	}
	return string(text)
}
