// The search of an exported archive, in a page that is opened from a disk. `list.js` calls `archive.open`, and each piece of
// the texts calls `archive.read`.

/** The newest messages that are shown. */
const SHOWN = 500
/** Characters around the first word that was found. */
const BEFORE = 60
const AFTER = 240

const parameters = new URLSearchParams(location.search)
const query = (parameters.get('q') ?? '').trim()
const status = document.getElementById('status')
const results = document.getElementById('results')

/** What is ignored: accents, and the vowel marks of Arabic. Marks of other scripts, such as those of Japanese, distinguish words. */
const IGNORED_MARKS = /[\u0300-\u036f\u0640\u064b-\u065f\u0670]/g
const SAME = { ß: 'ss', ς: 'σ', ı: 'i', '’': "'" }

const fold = (text) =>
  text
    .normalize('NFD')
    .replace(IGNORED_MARKS, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ßςı’]/g, (character) => SAME[character])
    .replace(/\s/g, ' ')

/** Whether a character is formatting, which a word may contain. */
const isFormatting = (character) => /^[*_~`]$/.test(character)
/** A folded text as it is read: without formatting, with single spaces. */
const plain = (folded) => folded.replace(/[*_~`]/g, '').replace(/ {2,}/g, ' ')

/** What all results contain: words, and "several words" in quotation marks. */
const terms = [...query.matchAll(/["“„]([^"”“]+)["”“]?|[^\s"“”„]+/g)]
  .map(([whole, quoted]) =>
    fold(quoted ?? whole)
      .replace(/ +/g, ' ')
      .trim(),
  )
  .filter(Boolean)

let conversations = []
/** The only conversation to search; empty for all. */
let wanted = ''
/** The newest messages that were found. */
let found = []
let count = 0

globalThis.archive = {
  open({ pieces, conversations: list }) {
    conversations = list
    const id = parameters.get('in')
    if (list.some(([channelId]) => channelId === id)) wanted = id
    showForm()
    status.textContent = query !== '' && terms.length === 0 ? 'Type a word to search for' : ''
    if (terms.length > 0) void search(pieces)
  },
  read(entries) {
    const hits = entries.filter(([number, , , , , text]) => {
      if (wanted !== '' && conversations[number][0] !== wanted) return false
      const folded = fold(text)
      const isIn = (term) => folded.includes(term)
      return terms.every(isIn) || terms.every((term) => isIn(term) || plain(folded).includes(term))
    })
    count += hits.length
    // Of the same moment, the later one comes first.
    found = [...hits.reverse(), ...found].sort(([, , , a], [, , , b]) => (a < b ? 1 : a > b ? -1 : 0)).slice(0, SHOWN)
  },
}

function showForm() {
  const [form] = document.forms
  form.elements.q.value = query
  for (const [id, title] of conversations)
    if (title !== '') form.elements.in.append(new Option(title, id, false, id === wanted))
}

async function search(pieces) {
  document.title = `${query} – Search`
  try {
    for (let piece = 1; piece <= pieces; piece++) {
      if (pieces > 1) status.textContent = `Searching, ${Math.round(((piece - 1) / pieces) * 100)}% …`
      await load(`search/${piece}.js`)
    }
    const messages = count === 1 ? '1 message' : `${count.toLocaleString('en')} messages`
    status.textContent = count > SHOWN ? `The newest ${SHOWN} of ${messages}` : count > 0 ? messages : 'Nothing found'
  } catch {
    status.textContent = 'A part of the archive is missing. Extract all of its files before you search.'
  }
  results.replaceChildren(...found.map(resultOf))
}

/** Runs a file of the archive, and forgets it. */
function load(src) {
  const script = Object.assign(document.createElement('script'), { src })
  return new Promise((resolve, reject) => {
    script.onload = resolve
    script.onerror = reject
    document.head.append(script)
  }).finally(() => script.remove())
}

function resultOf([number, page, id, time, author, text]) {
  const [channelId, title] = conversations[number]
  const link = document.createElement('a')
  link.href = page === 0 ? `channels/${channelId}/files.html#f-${id}` : `channels/${channelId}/${page}.html#m-${id}`
  const name = Object.assign(document.createElement('bdi'), { textContent: author })
  const where = Object.assign(document.createElement('bdi'), { className: 'soft', textContent: title })
  const shownTime = Object.assign(document.createElement('time'), { dateTime: time, className: 'soft' })
  shownTime.textContent = time.slice(0, 16).replace('T', ' ')
  link.append(name, ' in ', where, ' ', shownTime)
  const head = document.createElement('h2')
  head.append(link)
  const body = Object.assign(document.createElement('p'), { className: 'text', dir: 'auto' })
  body.append(...marked(text))
  const item = document.createElement('li')
  item.append(head, body)
  return item
}

/** The part of a text around what was found, which is marked. */
function marked(text) {
  const segments = [...new Intl.Segmenter().segment(text)]
  const ranges = terms.flatMap((term) => {
    const exact = rangesOf(term, segments, () => false)
    return exact.length > 0 ? exact : rangesOf(term, segments, isFormatting)
  })
  ranges.sort(([a, endOfA], [b, endOfB]) => a - b || endOfB - endOfA)
  const [first = [0, 0]] = ranges
  const start = startBefore(segments, first[0] - BEFORE)
  const stop = first[1] + AFTER < text.length ? startBefore(segments, first[1] + AFTER) : text.length
  const parts = start > 0 ? ['… '] : []
  let end = start
  for (const [from, to] of ranges) {
    if (to <= end || to > stop) continue
    const mark = document.createElement('mark')
    mark.textContent = text.slice(Math.max(from, end), to)
    parts.push(text.slice(end, Math.max(from, end)), mark)
    end = to
  }
  parts.push(text.slice(end, stop), stop < text.length ? ' …' : '')
  return parts
}

/** Where a term is in a text. Folding may change the length, so each folded character knows where it comes from. */
function rangesOf(term, segments, isLeftOut) {
  let folded = ''
  const from = []
  for (const { segment, index } of segments) {
    const part = fold(segment)
    const isRepeated = part === ' ' && folded.endsWith(' ')
    if (isRepeated || isLeftOut(part)) continue
    folded += part
    for (let n = 0; n < part.length; n++) from.push([index, index + segment.length])
  }
  const ranges = []
  for (let at = folded.indexOf(term); at >= 0; at = folded.indexOf(term, at + term.length))
    ranges.push([from[at][0], from[at + term.length - 1][1]])
  return ranges
}

/** The beginning of the character at a place, or 0. */
const startBefore = (segments, place) => segments.findLast(({ index }) => index <= place)?.index ?? 0
