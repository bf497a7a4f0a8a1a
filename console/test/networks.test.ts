/** The form of a key refuses exactly the networks that the service refuses. */
import { expect, test } from 'vitest'
import { isNetwork as doesServiceTake } from '../../server/src/values/networks.ts'
import { isNetwork, networksOf } from '../src/features/service-accounts/networks.ts'

const valid = [
  '10.1.0.0/16',
  '10.1.2.3/8',
  '0.0.0.0/0',
  '255.255.255.255',
  '192.0.2.7/32',
  '192.0.2.7/032',
  '2001:db8::/32',
  '2001:DB8::1',
  '::',
  '::/0',
  '::1/128',
  '::ffff:192.0.2.7/120',
  'fe80::1',
  '1:2:3:4:5:6:7:8',
]

const invalid = [
  '',
  ' ',
  '10.0.0.0 /8',
  '10.0.0',
  '10.0.0.0.0',
  '10.0.0.',
  '10.0.0.256',
  '010.0.0.1',
  '0x7f.0.0.1',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '10.0.0.0/1000',
  '2001:db8::/129',
  '2001:db8',
  ':::',
  ':',
  '1:2:3:4:5:6:7:8:9',
  '12345::',
  'fe80::1%eth0',
  '[::1]',
  '::ffff:192.0.2.256',
  'localhost',
  'example.com/8',
]

test('the form takes the networks that the service takes, and no others', () => {
  expect(valid.filter((text) => !doesServiceTake(text))).toEqual([])
  expect(valid.filter((text) => !isNetwork(text))).toEqual([])
  expect(invalid.filter((text) => doesServiceTake(text))).toEqual([])
  expect(invalid.filter((text) => isNetwork(text))).toEqual([])
})

test('each line is one network, and empty lines are none', () => {
  expect(networksOf('\n 10.1.0.0/16 \r\n\n::1\n')).toEqual(['10.1.0.0/16', '::1'])
})
