#!/bin/sh
# Run: sh pets-test.sh. The pipe is descriptor 3, which the commands inherit: where the script is killed, the store stops
# with the running command, so curl has a time limit.
set -eu

folder=$(mktemp -d)
mkfifo "$folder/stdin" "$folder/stdout"
bin/petstore serve --ephemeral --port 0 --json --until-stdin-ends \
  < "$folder/stdin" > "$folder/stdout" &
exec 3> "$folder/stdin" 4< "$folder/stdout"
trap 'exec 3>&-; wait' EXIT
rm -r "$folder"

read -r store <&4 || { echo "The store did not start." >&2; exit 1; }
base_url=$(printf '%s' "$store" | sed 's/.*"baseUrl":"\([^"]*\)".*/\1/')
key=$(printf '%s' "$store" | sed 's/.*"key":"\([^"]*\)".*/\1/')

request() {
  curl -sS --fail --max-time 10 -H "Authorization: Bearer $key" "$@"
}

# create RECORDS JSON
create() {
  request -H "Content-Type: application/json" -d "$2" "$base_url/$1"
}

# expect ACTUAL EXPECTED
expect() {
  [ "$1" = "$2" ] || { echo "Expected $2, got $1" >&2; exit 1; }
}

a_created_pet_is_listed() {
  create categories '{"name":"Cats"}' > /dev/null
  created=$(create pets '{"name":"Sunny, cream Maine Coon","categoryId":1}')
  expect "$(request "$base_url/pets")" "[$created]"
}

another_test_begins_with_an_empty_store() {
  create categories '{"name":"Cats"}' > /dev/null
  created=$(create pets '{"name":"Percy, brown Birman","categoryId":1}')
  expect "$created" '{"id":1,"name":"Percy, brown Birman","categoryId":1}'
}

for test in a_created_pet_is_listed another_test_begins_with_an_empty_store; do
  "$test"
  request -X POST "${base_url%/v1}/test-bench/reset"
done
