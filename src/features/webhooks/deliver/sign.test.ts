import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { systemRandom, timeOfDay } from '../../../context/context.ts'
import { secretBytes, secretText, signedHeaders } from './sign.ts'

const body = '{"id":9007199254740993,"data":{"name":"Žofie 🐈"}}'

it('the standardwebhooks package verifies what is signed, as text and as bytes', () => {
  const secret = systemRandom(secretBytes)
  for (const sent of [body, Buffer.from(body)]) {
    const headers = signedHeaders([secret], { id: '9007199254740993', body: sent }, timeOfDay())

    assert.doesNotThrow(() => new Webhook(secretText(secret)).verify(body, headers))
    assert.throws(() => new Webhook(secretText(secret)).verify(`${body} `, headers))
    assert.throws(() => new Webhook(secretText(systemRandom(32))).verify(body, headers))
    assert.throws(() =>
      new Webhook(secretText(secret)).verify(body, { ...headers, 'webhook-id': '1' }),
    )
  }
})

it('with two secrets receivers that know either verify; the header is as the standard writes it', () => {
  const secrets = [systemRandom(secretBytes), systemRandom(secretBytes)]
  const headers = signedHeaders(secrets, { id: '1', body }, timeOfDay())

  for (const secret of secrets)
    assert.doesNotThrow(() => new Webhook(secretText(secret)).verify(body, headers))
  assert.match(headers['webhook-signature'], /^v1,[\w+/]{43}= v1,[\w+/]{43}=$/)
})

it('the timestamp is in whole seconds, and the example of the standard has the signature of its libraries', () => {
  const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' }

  assert.deepEqual(signedHeaders([secret], message, 1_614_265_330_999), {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})
