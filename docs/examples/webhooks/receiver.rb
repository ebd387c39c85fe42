# Run: SECRET=whsec_… PORT=3000 ruby receiver.rb
# The standard library has no HTTP server: in a Rails or Rack application the check is the same.
require 'json'
require 'openssl'
require 'set'
require 'socket'

KEY = ENV.fetch('SECRET').delete_prefix('whsec_').unpack1('m')
HANDLED = Set.new

def genuine?(headers, body)
  id, timestamp = headers.values_at('webhook-id', 'webhook-timestamp')
  return false unless timestamp&.match?(/\A\d{1,12}\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300

  expected = "v1,#{[OpenSSL::HMAC.digest('SHA256', KEY, "#{id}.#{timestamp}.#{body}")].pack('m0')}"
  headers.fetch('webhook-signature', '').split.any? do |signature|
    OpenSSL.secure_compare(signature, expected)
  end
end

def receive(headers, body)
  return '401 Unauthorized' unless genuine?(headers, body)

  puts "Handled #{JSON.parse(body)['type']}" if HANDLED.add?(headers['webhook-id'])
  '204 No Content'
end

$stdout.sync = true
server = TCPServer.new('127.0.0.1', ENV.fetch('PORT').to_i)
puts 'Listening'
loop do
  socket = server.accept
  socket.gets
  headers = {}
  while (line = socket.gets&.chomp) && !line.empty?
    name, value = line.split(': ', 2)
    headers[name.downcase] = value
  end
  body = socket.read(headers.fetch('content-length', '0').to_i).b
  socket.write("HTTP/1.1 #{receive(headers, body)}\r\nconnection: close\r\n\r\n")
  socket.close
end
