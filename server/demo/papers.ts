import { crc32 } from 'node:zlib'

/** Files other than pictures, by name. */
export const papers: Record<string, () => Buffer> = {
  'Post-mortem, Wednesday.pdf': () =>
    pdf([
      'Post-mortem: the ferry that left an hour early',
      '',
      'Impact: 214 tickets showed UTC for 43 minutes. Nobody missed a ferry; two people had a long coffee.',
      '',
      '09:41  Eve reports a ticket for 07:15 that should say 08:15',
      '09:44  Incident opened, Chidi leads',
      '09:58  Cause found: the new image has no time zone data',
      '10:07  Rolled back to 1.9.4',
      '10:24  All affected tickets sent again',
      '',
      'What went well: the alert was a person, and she was heard at once.',
      'What we change: tickets carry the zone by name; a test buys a ticket in four zones.',
    ]),
  'launch-checklist.md': () =>
    Buffer.from('# Launch\n\n- [x] store pages\n- [x] refunds by card\n- [ ] status page\n- [ ] cake\n'),
  'bookings-by-route.csv': () =>
    Buffer.from(
      'route,mon,tue,wed,thu\nPiraeus – Aegina,412,398,377,455\nPiraeus – Hydra,268,251,249,302\nRafina – Andros,190,204,171,233\n',
    ),
  'ticket-service.log': () =>
    Buffer.from(
      Array.from(
        { length: 40 },
        (_, i) =>
          `09:4${Math.floor(i / 10)}:${String((i * 7) % 60).padStart(2, '0')} warn zone "Europe/Athens" is not known, using UTC ticket=${41_200 + i}\n`,
      ).join(''),
    ),
  'gangway-icons.zip': () =>
    zip({
      'icons/ferry.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M3 14h18l-3 6H6z"/></svg>',
      'icons/anchor.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="5" r="3"/></svg>',
      'README.txt': 'Icons of Gangway 2. Keep two pixels of air around the ferry.\n',
    }),
  'ferry-horn.wav': () => wav([146.8, 146.8, 0, 220, 146.8], 0.35),
}

/** A PDF with one page of lines. */
function pdf(lines: string[]): Buffer {
  const escaped = lines.map((line) => line.replace(/[\\()]/g, '\\$&'))
  const text = `BT /F1 11 Tf 56 780 Td 18 TL ${escaped.map((line) => `(${line}) Tj T*`).join('\n')} ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const offset = body.length
    body += `${i + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  return Buffer.from(
    `${body}${table}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
    'latin1',
  )
}

/** A ZIP archive with uncompressed entries. */
function zip(entries: Record<string, string>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(entries)) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(text)]
    // Version, flags, method, time, date (1980-01-01), checksum, sizes, lengths of the name and extra field.
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(0x21, 8)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(bytes.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(path.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), facts, place, path)
    const entry = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, path, bytes])
    parts.push(entry)
    offset += entry.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  const count = Object.keys(entries).length
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, listed, end])
}

const RATE = 16_000

/** Notes in hertz, `seconds` each; 0 is a rest. */
function wav(notes: number[], seconds: number): Buffer {
  const each = Math.round(RATE * seconds)
  const samples = Int16Array.from({ length: each * notes.length }, (_, i) => {
    const [note = 0, at] = [notes[Math.floor(i / each)], (i % each) / each]
    const swell = Math.min(1, at * 12, (1 - at) * 12)
    const wave = Math.sin((2 * Math.PI * note * i) / RATE) + 0.4 * Math.sin((4 * Math.PI * note * i) / RATE)
    return Math.round(9000 * swell * wave)
  })
  const head = Buffer.alloc(44)
  head.write('RIFF')
  head.writeUInt32LE(36 + samples.byteLength, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(RATE, 24)
  head.writeUInt32LE(RATE * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples.byteLength, 40)
  return Buffer.concat([head, Buffer.from(samples.buffer)])
}
