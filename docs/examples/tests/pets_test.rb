# Run: ruby pets_test.rb
require "json"
require "minitest/autorun"
require "net/http"

COMMAND = %w[bin/petstore serve --ephemeral --port 0 --json --until-stdin-ends]
PIPE = IO.popen(COMMAND, "r+")
Minitest.after_run { PIPE.close }
STORE = JSON.parse(PIPE.gets || abort("The store did not start."))

class PetsTest < Minitest::Test
  def teardown
    send_request("POST", STORE["baseUrl"].sub("/v1", "/test-bench/reset"))
  end

  def call(method, path, body = nil)
    JSON.parse(send_request(method, STORE["baseUrl"] + path, body))
  end

  def send_request(method, url, body = nil)
    headers = { "Authorization" => "Bearer #{STORE["key"]}" }
    headers["Content-Type"] = "application/json" if body
    uri = URI(url)
    response = Net::HTTP.start(uri.host, uri.port) do |http|
      http.send_request(method, uri.request_uri, body && JSON.generate(body), headers)
    end
    response.value # raises unless the status is 2xx
    response.body
  end

  def test_a_created_pet_is_listed
    cats = call("POST", "/categories", { name: "Cats" })
    created = call("POST", "/pets", { name: "Sunny, cream Maine Coon", categoryId: cats["id"] })

    assert_equal [created], call("GET", "/pets")
  end

  def test_another_test_begins_with_an_empty_store
    cats = call("POST", "/categories", { name: "Cats" })
    created = call("POST", "/pets", { name: "Percy, brown Birman", categoryId: cats["id"] })

    assert_equal 1, created["id"]
  end
end
