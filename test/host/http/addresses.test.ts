// Addresses and names as the rules of Http read them: which are public, held against ipaddr.js on many that were drawn
// at random, and which entries of allowedDomains are none.

import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../../runtime-host/network/addresses.ts';
import { allowsHost, namesLocally, readDomain } from '../../../runtime-host/network/domains.ts';
import { isSameIp, parseIp } from '../../../runtime-host/network/ip-text.ts';
import { seededRandom } from '../../../runtime-host/namespaces/math/functions.ts';

const random = seededRandom(7);
const below = (limit: number): number => Math.floor(random() * limit);
const draw = <Value>(values: readonly Value[]): Value => values[below(values.length)]!;

describe('public addresses', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '168.63.129.15',
    '168.63.129.17',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
    '[2001:4860:4860::8888]',
    '2001:4860:4860::8888',
    '2620:fe::fe',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('%s is one', (address) => expect(isPublicAddress(address)).toBe(true));

  it.each([
    // This machine, this network, and everyone.
    '0.0.0.0',
    '0.1.2.3',
    '127.0.0.1',
    '127.255.255.255',
    '255.255.255.255',
    '::',
    '::1',
    '[::1]',
    '0:0:0:0:0:0:0:1',
    // Private, shared and link-local.
    '10.0.0.0',
    '10.255.255.255',
    '172.16.0.0',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.255.255',
    '100.64.0.0',
    '100.127.255.255',
    '169.254.0.0',
    '169.254.255.255',
    'fc00::',
    'fdff:ffff::1',
    'fe80::1',
    'febf::1',
    'fec0::1',
    // Reserved, documentation, benchmarks, multicast.
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.0',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.0',
    '239.255.255.255',
    '240.0.0.0',
    '254.255.255.255',
    'ff00::',
    'ff02::1',
    '2001:db8::',
    '3fff::1',
    '100::1',
    '5f00::1',
    '4000::1',
    'e000::1',
    // Services that tell a machine about itself.
    '169.254.169.254',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    'fd00:ec2::254',
    // Inside an address of IPv6.
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:169.254.169.254',
    '::ffff:168.63.129.16',
    '::127.0.0.1',
    '::7f00:1',
    '::8.8.8.8',
    '::ffff:0:127.0.0.1',
    '::ffff:0:8.8.8.8',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b::a83f:8110',
    '64:ff9b:1::808:808',
    '64:ff9b:1:7f00:0:100:808:808',
    '2002:7f00:1::',
    '2002:808:808::1',
    '2001::1',
    '2001:0:7f00:1::',
    '2001:10::1',
    '2001:20::1',
  ])('%s is none', (address) => expect(isPublicAddress(address)).toBe(false));

  it.each([
    '',
    ' ',
    'ok.test',
    'localhost',
    '1',
    '1.1',
    '1.1.1',
    '1.1.1.1.',
    '.1.1.1.1',
    '1.1.1.1.1',
    '1..1.1',
    '01.1.1.1',
    '1.1.1.01',
    '256.1.1.1',
    '1.1.1.999',
    '0x8.8.8.8',
    '8.8.8.8 ',
    ' 8.8.8.8',
    '8.8.8.8/32',
    '8.8.8.8:80',
    '+8.8.8.8',
    '-1.1.1.1',
    '１.1.1.1',
    '2606:4700::1111%eth0',
    '[2606:4700::1111',
    '2606:4700::1111]',
    '[8.8.8.8]',
    '[]',
    ':',
    ':::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1::2::3',
    '2606::12345',
    '2606::g',
    '2606:4700:',
    ':2606:4700::1',
    '2606::8.8.8',
    '2606::8.8.8.8:1',
    '2606::08.8.8.8',
    '1:2:3:4:5:6:7:8.8.8.8',
    '2606:1:2:3:4:5:6:7::8',
  ])('%j is no address', (text) => {
    expect(parseIp(text)).toBeNull();
    expect(isPublicAddress(text)).toBe(false);
  });

  it('are read as ipaddr.js reads them, and never more of them are public', () => {
    const interesting = [
      0, 1, 0xff, 0x64, 0xff9b, 0x2001, 0x2002, 0xdb8, 0xfe80, 0xfd00, 0xffff, 0x7f00, 0xa00, 0xa9fe, 0xc0a8, 0x2606,
    ];
    let shared = 0;
    for (let count = 0; count < 30_000; count++) {
      const group = (): number => (random() < 0.6 ? draw(interesting) : below(0x10000));
      const whole =
        random() < 0.3
          ? new ipaddr.IPv4([draw([10, 100, 127, 169, 172, 192, 198, below(256)]), below(256), below(256), below(256)])
          : new ipaddr.IPv6([group(), group(), group(), group(), group(), group(), group(), group()]);
      const spellings = [
        whole.toString(),
        whole.toNormalizedString(),
        ...(whole.kind() === 'ipv6' ? [(whole as ipaddr.IPv6).toRFC5952String().toUpperCase()] : []),
      ];
      const groups =
        whole.kind() === 'ipv4' ? (whole as ipaddr.IPv4).toIPv4MappedAddress().parts : (whole as ipaddr.IPv6).parts;
      for (const spelling of spellings) expect(parseIp(spelling), spelling).toEqual(groups);
      const isPublic = isPublicAddress(spellings[0]!);
      if (isPublic && whole.range() !== 'ipv4Mapped' && whole.range() !== 'rfc6052')
        expect(whole.range(), spellings[0]).toBe('unicast');
      if (isPublic) shared++;
    }
    expect(shared).toBeGreaterThan(1_000);
  });

  it('are in none of the ranges that ipaddr.js has names for', () => {
    type Ranges = Readonly<Record<string, unknown>>;
    const rangesOf = (kind: typeof ipaddr.IPv4 | typeof ipaddr.IPv6): Ranges =>
      (kind.prototype as unknown as { readonly SpecialRanges: Ranges }).SpecialRanges;
    const ranges = [ipaddr.IPv4, ipaddr.IPv6].flatMap((kind) =>
      Object.entries(rangesOf(kind)).filter(([name]) => name !== 'ipv4Mapped' && name !== 'rfc6052'),
    );
    const all = ranges.flatMap(
      ([, list]) =>
        (typeof (list as unknown[])[1] === 'number' ? [list] : list) as [ipaddr.IPv4 | ipaddr.IPv6, number][],
    );
    expect(all.length).toBeGreaterThan(30);
    for (const [start, bits] of all) {
      const bytes = start.toByteArray();
      const last = bytes.map((byte, at) => byte | (0xff >> Math.min(Math.max(bits - at * 8, 0), 8)));
      for (const address of [start, ipaddr.fromByteArray(last)])
        expect(isPublicAddress(address.toString()), address.toString()).toBe(false);
    }
  });

  it('texts that are nearly addresses are read by ipaddr.js, or by nobody', () => {
    for (let count = 0; count < 30_000; count++) {
      const text = Array.from({ length: 2 + below(14) }, () =>
        draw(['0', '1', '9', 'f', ':', ':', '::', '.', '1.2.3.4', 'ffff']),
      ).join('');
      if (parseIp(text) !== null) expect(ipaddr.isValid(text), text).toBe(true);
    }
  });

  it('are the same in all their spellings', () => {
    expect(isSameIp('127.0.0.1', '::ffff:127.0.0.1')).toBe(true);
    expect(isSameIp('2606:4700::0001', '[2606:4700:0:0::1]')).toBe(true);
    expect(isSameIp('127.0.0.1', '127.0.0.2')).toBe(false);
    expect(isSameIp('nothing', 'nothing')).toBe(false);
  });
});

describe('entries of allowedDomains', () => {
  it.each([
    ['ok.test', 'ok.test'],
    ['OK.Test', 'ok.test'],
    ['ok.test.', 'ok.test'],
    ['bücher.test', 'xn--bcher-kva.test'],
    ['BÜCHER.test', 'xn--bcher-kva.test'],
    ['ok。test', 'ok.test'],
    ['localhost', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['[::1]', '[::1]'],
    ['[0:0::1]', '[::1]'],
    ['a_b.test', 'a_b.test'],
    ['xn--bcher-kva.test', 'xn--bcher-kva.test'],
  ])('%s is %s', (entry, name) => expect(readDomain(entry)).toEqual({ name, isWildcard: false }));

  it.each([
    ['*.ok.test', 'ok.test'],
    ['*.OK.test.', 'ok.test'],
    ['*.a.b.test', 'a.b.test'],
    ['*.bücher.test', 'xn--bcher-kva.test'],
  ])('%s is all below %s', (entry, name) => expect(readDomain(entry)).toEqual({ name, isWildcard: true }));

  it.each([
    '',
    '*',
    '*.',
    '*.*',
    '**',
    '*.com',
    '*.localhost',
    '*.127.0.0.1',
    '*.[::1]',
    '*ok.test',
    'a.*.test',
    '*.*.ok.test',
    'ok.*',
    '.',
    '..',
    '.ok.test',
    'ok..test',
    'ok.test..',
    '*..ok.test',
    '*.ok.test..',
    'http://ok.test',
    'https://ok.test/',
    '//ok.test',
    'ok.test/',
    'ok.test/a',
    'ok.test:80',
    'ok.test:443',
    'ok.test:',
    '[::1]:80',
    '[::1',
    '::1',
    '[]',
    '[::1]x',
    'a@ok.test',
    ':@ok.test',
    'ok.test?',
    'ok.test#',
    'ok.test\\',
    'ok%2etest',
    ' ok.test',
    'ok.test ',
    'ok test',
    'ok.test\n',
    'ok\t.test',
    'ok.test\0',
    '\u00a0ok.test',
    'ok\u2028.test',
    'a<b',
    'a^b',
    'a|b',
    '256.256.256.256',
    '1.2.3.4.5',
    'foo.0x',
  ])('%j is none', (entry) => expect(readDomain(entry)).toBeNull());

  const rules = (...entries: string[]) => entries.map((entry) => readDomain(entry)!);

  it.each([
    ['ok.test', 'ok.test', true],
    ['ok.test', 'ok.test.', true],
    ['ok.test', 'notok.test', false],
    ['ok.test', 'ok.test.evil.test', false],
    ['ok.test', 'sub.ok.test', false],
    ['ok.test', 'ok.test..', false],
    ['ok.test', '', false],
    ['*.ok.test', 'a.ok.test', true],
    ['*.ok.test', 'a.b.ok.test.', true],
    ['*.ok.test', 'ok.test', false],
    ['*.ok.test', '.ok.test', false],
    ['*.ok.test', 'aok.test', false],
    ['*.ok.test', 'a.ok.test.evil', false],
  ])('%s and the host %s', (entry, host, allowed) => expect(allowsHost(rules(entry), host)).toBe(allowed));

  it('without any allow nothing', () => expect(allowsHost([], 'ok.test')).toBe(false));

  it('name this machine only by its very name', () => {
    expect(namesLocally(rules('localhost'), 'localhost')).toBe(true);
    expect(namesLocally(rules('127.0.0.1'), '127.0.0.1')).toBe(true);
    expect(namesLocally(rules('[::1]'), '[::1]')).toBe(true);
    expect(namesLocally(rules('localhost'), '127.0.0.1')).toBe(false);
    expect(namesLocally(rules('127.0.0.1'), '[::ffff:7f00:1]')).toBe(false);
    expect(namesLocally(rules('*.a.localhost'), 'b.a.localhost')).toBe(false);
    expect(namesLocally(rules('ok.test'), 'ok.test')).toBe(false);
  });
});
