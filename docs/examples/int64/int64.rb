require "json"
require "net/http"

URL, KEY = ENV.fetch("BASE_URL"), ENV.fetch("KEY")
HEADERS = { "Authorization" => "Bearer #{KEY}", "Content-Type" => "application/json" }

first = JSON.parse(Net::HTTP.get(URI("#{URL}/pets?limit=1"), HEADERS))[0]
body = JSON.generate("name" => "Sunny, cream Maine Coon", "categoryId" => first["categoryId"])
created = JSON.parse(Net::HTTP.post(URI("#{URL}/pets"), body, HEADERS).body)
puts "#{first["id"]} #{created["categoryId"]}"
