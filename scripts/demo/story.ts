// The format of the demo's conversations, and its parser.

export interface Told {
  /** Milliseconds since 1970. */
  at: number
  username: string
  content: string
  reactions: { emoji: string; usernames: string[] }[]
  /** Names of files, made by files.ts. */
  files: string[]
  isEdited: boolean
  isDeleted: boolean
  replies: Told[]
}

export interface Conversation {
  /** A channel's name; undefined for a direct message. */
  name: string | undefined
  /** Of a direct message: everybody in it. */
  direct: string[]
  messages: Told[]
  /** Who has read nothing since a time, unless they wrote later. */
  away: { username: string; since: number }[]
}

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri']
const HEADER = /^([@^])(?:(mon|tue|wed|thu|fri) )?(\d\d):(\d\d) ([a-z]+)$/
const AWAY = /^!away (mon|tue|wed|thu|fri) (\d\d):(\d\d) ([a-z]+)$/

/**
 * Parses conversations; each begins with `# channel` or `# dm ada kenji`. A message begins with `@mon 09:02 ada`, a reply
 * to it with `^09:05 bob`, and their text follows. `+ 🎉 ada bob | 👀 mei` are reactions, `!file name`, `!edited` and
 * `!deleted` say more of the message above, `!away fri 10:00 ada` that ada has read nothing since. Two apostrophes stand
 * for a backtick.
 * @param time says when, in milliseconds since 1970, a minute of a day (0: Monday) was
 */
export function readStory(text: string, time: (day: number, minute: number) => number): Conversation[] {
  return text
    .trim()
    .split(/^# /m)
    .filter((part) => part.trim() !== '')
    .map((part) => readConversation(part.trim().split('\n'), time))
}

function readConversation([head = '', ...lines]: string[], time: (day: number, minute: number) => number) {
  const direct = head.startsWith('dm ') ? head.slice(3).split(' ') : []
  const conversation: Conversation = { name: direct.length > 0 ? undefined : head, direct, messages: [], away: [] }
  let day = 0
  let told: Told | undefined
  for (const line of lines) {
    const [, kind, name, hour, minute, username = ''] = HEADER.exec(line) ?? []
    const [, awayDay = '', awayHour, awayMinute, reader = ''] = AWAY.exec(line) ?? []
    if (kind) {
      if (name) day = DAYS.indexOf(name)
      const at = time(day, Number(hour) * 60 + Number(minute))
      told = { at, username, content: '', reactions: [], files: [], isEdited: false, isDeleted: false, replies: [] }
      const place = kind === '@' ? conversation.messages : conversation.messages.at(-1)?.replies
      if (!place) throw new Error(`A reply to nothing: ${line}`)
      place.push(told)
    } else if (reader) {
      const since = time(DAYS.indexOf(awayDay), Number(awayHour) * 60 + Number(awayMinute))
      conversation.away.push({ username: reader, since })
    } else if (told && !describe(told, line)) told.content += `${line}\n`
    else if (!told && line !== '') throw new Error(`Said by nobody: ${line}`)
  }
  for (const message of conversation.messages) for (const it of [message, ...message.replies]) it.content = write(it)
  return conversation
}

/** Whether a line describes the message above it. */
function describe(told: Told, line: string): boolean {
  if (line.startsWith('+ ')) {
    told.reactions = line
      .slice(2)
      .split(' | ')
      .map((it) => it.split(' '))
      .map(([emoji = '', ...usernames]) => ({ emoji, usernames }))
  } else if (line.startsWith('!file ')) told.files.push(line.slice(6))
  else if (line === '!edited') told.isEdited = true
  else if (line === '!deleted') told.isDeleted = true
  else return false
  return true
}

const write = ({ content }: Told) =>
  content.trim().replaceAll(/'{2,3}/g, (quotes) => '`'.repeat(quotes.length === 2 ? 1 : 3))

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/**
 * The five last working days: the story ends a few minutes before `now`, so that there is something of today whatever
 * the hour; the days before keep the hours that are written.
 * @param end minute of the Friday with which the story ends
 */
export function workingWeek(now: number, end: number): (day: number, minute: number) => number {
  const last = new Date(now)
  const days: number[] = []
  for (let back = 1; days.length < 4; back++) {
    const day = new Date(last.getFullYear(), last.getMonth(), last.getDate() - back)
    if (day.getDay() % 6 !== 0) days.unshift(day.getTime())
  }
  return (day, minute) => (day < 4 ? (days[day] as number) + minute * MINUTE : now - (end + 4 - minute) * MINUTE)
}

/** When the people and channels of a story were created: before its first message. */
export const beforeWeek = (time: (day: number, minute: number) => number) => time(0, 0) - DAY
