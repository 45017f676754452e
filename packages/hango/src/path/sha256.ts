/** SHA-256 in plain JavaScript: WebCrypto's is asynchronous, and ids and slugs are made where nothing may wait. Source: FIPS 180-4. */

const roundConstants: Uint32Array = fractions(64, 1 / 3);
const initialState: Uint32Array = fractions(8, 1 / 2);

/** The first 32 bits of the fractional parts of the roots of the first primes. */
function fractions(count: number, power: number): Uint32Array {
  const words = new Uint32Array(count);
  for (let candidate = 2, found = 0; found < count; candidate++) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) if (candidate % divisor === 0) prime = false;
    if (prime) words[found++] = (candidate ** power % 1) * 2 ** 32;
  }
  return words;
}

/** The digest, as 64 lower-case hexadecimal digits. */
export function sha256Hex(bytes: Uint8Array): string {
  const state = Uint32Array.from(initialState);
  const schedule = new Uint32Array(64);
  const whole = bytes.length - (bytes.length % 64);
  const source = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < whole; at += 64) compress(state, schedule, source, at);
  const tail = new Uint8Array(bytes.length - whole < 56 ? 64 : 128);
  tail.set(bytes.subarray(whole));
  tail[bytes.length - whole] = 0x80;
  const end = new DataView(tail.buffer);
  end.setUint32(tail.length - 8, Math.floor(bytes.length / 2 ** 29));
  end.setUint32(tail.length - 4, bytes.length * 8);
  for (let at = 0; at < tail.length; at += 64) compress(state, schedule, end, at);
  return Array.from(state, (word) => hex(word, 8)).join("");
}

/** A whole number in so many hexadecimal digits, or more where it needs them. */
export function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

function compress(state: Uint32Array, schedule: Uint32Array, source: DataView, at: number): void {
  const word = (index: number): number => schedule[index] as number;
  for (let index = 0; index < 16; index++) schedule[index] = source.getUint32(at + index * 4);
  for (let index = 16; index < 64; index++) {
    const early = word(index - 15);
    const late = word(index - 2);
    schedule[index] =
      word(index - 16) + (rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)) + word(index - 7) + (rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10));
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let index = 0; index < 64; index++) {
    const first = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + (roundConstants[index] as number) + word(index)) | 0;
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => {
    state[index] = (state[index] as number) + value;
  });
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
