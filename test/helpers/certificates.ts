// Certificates made on the spot for servers and clients in tests: one authority, as many leaves as needed.
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { bitString, boolean, integer, octets, oid, sequence, set, time, tlv, utf8 } from './der.ts';

const HOUR_MS = 3_600_000;
const ECDSA_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));

export type LeafOptions = {
  /** Default: `localhost`. */
  readonly commonName?: string;
  /** Organisations, which Kubernetes reads as groups. Default: none. */
  readonly organizations?: readonly string[];
  /** Default: `localhost`. */
  readonly dnsNames?: readonly string[];
  /** IPv4 only. Default: 127.0.0.1. */
  readonly ipAddresses?: readonly string[];
  /** Default: an hour ago. */
  readonly notBefore?: Date;
  /** Default: in a day. */
  readonly notAfter?: Date;
};

/** PEM texts. */
export type KeyPair = { readonly cert: string; readonly key: string };

type Subject = {
  readonly name: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Uint8Array[];
};

export class CertificateAuthority {
  readonly #name: Uint8Array;
  readonly #key: KeyObject;
  /** The authority's certificate. */
  readonly pem: string;

  constructor(commonName = 'test authority') {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#name = distinguishedName(commonName, []);
    this.#key = privateKey;
    this.pem = this.#sign({
      name: this.#name,
      notBefore: new Date(Date.now() - HOUR_MS),
      notAfter: new Date(Date.now() + 48 * HOUR_MS),
      publicKey,
      // basicConstraints: an authority; keyUsage: keyCertSign and cRLSign.
      extensions: [
        extension('2.5.29.19', sequence(boolean('true'))),
        extension('2.5.29.15', tlv(0x03, Buffer.from([1, 0x06]))),
      ],
    });
  }

  /** A certificate for a server or a client. */
  issue(options: LeafOptions = {}): KeyPair {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const names = [
      ...(options.dnsNames ?? ['localhost']).map((name) => tlv(0x82, Buffer.from(name, 'ascii'))),
      ...(options.ipAddresses ?? ['127.0.0.1']).map((address) => tlv(0x87, ipBytes(address))),
    ];
    const cert = this.#sign({
      name: distinguishedName(options.commonName ?? 'localhost', options.organizations ?? []),
      notBefore: options.notBefore ?? new Date(Date.now() - HOUR_MS),
      notAfter: options.notAfter ?? new Date(Date.now() + 24 * HOUR_MS),
      publicKey,
      extensions: [
        extension('2.5.29.19', sequence()),
        extension('2.5.29.15', tlv(0x03, Buffer.from([7, 0x80]))),
        extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.1'), oid('1.3.6.1.5.5.7.3.2'))),
        extension('2.5.29.17', sequence(...names)),
      ],
    });
    return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
  }

  #sign(subject: Subject): string {
    const serial = randomBytes(16);
    serial[0] = (serial[0] ?? 0) | 0x40;
    const body = sequence(
      tlv(0xa0, integer(Buffer.from([2]))),
      integer(serial),
      ECDSA_SHA256,
      this.#name,
      sequence(time(subject.notBefore), time(subject.notAfter)),
      subject.name,
      subject.publicKey.export({ type: 'spki', format: 'der' }),
      tlv(0xa3, sequence(...subject.extensions)),
    );
    const signature = sign('sha256', body, this.#key);
    const base64 = Buffer.from(sequence(body, ECDSA_SHA256, bitString(signature))).toString('base64');
    const lines = base64.match(/.{1,64}/g) ?? [];
    return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
  }
}

function distinguishedName(commonName: string, organizations: readonly string[]): Uint8Array {
  const attribute = (type: string, value: string): Uint8Array => set(sequence(oid(type), utf8(value)));
  return sequence(
    ...organizations.map((organization) => attribute('2.5.4.10', organization)),
    attribute('2.5.4.3', commonName),
  );
}

function extension(type: string, value: Uint8Array): Uint8Array {
  return sequence(oid(type), octets(value));
}

function ipBytes(address: string): Uint8Array {
  if (!isIPv4(address)) throw new TypeError(`only IPv4 addresses are supported here, not ${address}`);
  return Buffer.from(address.split('.').map(Number));
}
