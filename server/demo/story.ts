// The format of the demo's conversations, and its parser.

export interface StoryMessage {
  /** Milliseconds since 1970. */
  at: number
  username: string
  content: string
  reactions: { emoji: string; usernames: string[] }[]
  /** Names of files, made by files.ts. */
  files: string[]
  isEdited: boolean
  isDeleted: boolean
  replies: StoryMessage[]
}

export interface Conversation {
  /** A channel's name; undefined for a direct message. */
  name: string | undefined
  /** The members of a direct message. */
  direct: string[]
  messages: StoryMessage[]
  /** Users who have read nothing since a time, unless they wrote later. */
  away: { username: string; since: number }[]
}

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri']
const HEADER = /^([@^])(?:(mon|tue|wed|thu|fri) )?(\d\d):(\d\d) ([a-z]+)$/
const AWAY = /^!away (mon|tue|wed|thu|fri) (\d\d):(\d\d) ([a-z]+)$/

/**
 * Parses conversations; each starts with `# channel` or `# dm ada kenji`. A message starts with `@mon 09:02 ada`, a reply to it
 * with `^09:05 bob`, and their text follows. `+ 🎉 ada bob | 👀 mei` are reactions, `!file name`, `!edited` and `!deleted`
 * describe the message above, `!away fri 10:00 ada` means that ada has read nothing since. Two apostrophes stand for a backtick.
 * @param time returns the time, in milliseconds since 1970, of a minute of a day (0: Monday)
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
  let current: StoryMessage | undefined
  for (const line of lines) {
    const [, kind, name, hour, minute, username = ''] = HEADER.exec(line) ?? []
    const [, awayDay = '', awayHour, awayMinute, reader = ''] = AWAY.exec(line) ?? []
    if (kind) {
      if (name) day = DAYS.indexOf(name)
      const at = time(day, Number(hour) * 60 + Number(minute))
      current = { at, username, content: '', reactions: [], files: [], isEdited: false, isDeleted: false, replies: [] }
      const place = kind === '@' ? conversation.messages : conversation.messages.at(-1)?.replies
      if (!place) throw new Error(`A reply without a message: ${line}`)
      place.push(current)
    } else if (reader) {
      const since = time(DAYS.indexOf(awayDay), Number(awayHour) * 60 + Number(awayMinute))
      conversation.away.push({ username: reader, since })
    } else if (current && !describe(current, line)) current.content += `${line}\n`
    else if (!current && line !== '') throw new Error(`A text without an author: ${line}`)
  }
  for (const message of conversation.messages) for (const it of [message, ...message.replies]) it.content = write(it)
  return conversation
}

/** Whether a line describes the message above it. */
function describe(message: StoryMessage, line: string): boolean {
  if (line.startsWith('+ ')) {
    message.reactions = line
      .slice(2)
      .split(' | ')
      .map((it) => it.split(' '))
      .map(([emoji = '', ...usernames]) => ({ emoji, usernames }))
  } else if (line.startsWith('!file ')) message.files.push(line.slice(6))
  else if (line === '!edited') message.isEdited = true
  else if (line === '!deleted') message.isDeleted = true
  else return false
  return true
}

const write = ({ content }: StoryMessage) =>
  content.trim().replaceAll(/'{2,3}/g, (quotes) => '`'.repeat(quotes.length === 2 ? 1 : 3))

const MINUTE_MS = 60_000

/**
 * Maps the story to the last five working days. Its Friday ends a few minutes before `now`, so that there are messages of today
 * at any hour; the other days keep the times as written.
 * @param end the minute of Friday at which the story ends
 */
export function workingWeek(now: number, end: number): (day: number, minute: number) => number {
  const last = new Date(now)
  const days: number[] = []
  for (let back = 1; days.length < 4; back++) {
    const day = new Date(last.getFullYear(), last.getMonth(), last.getDate() - back)
    if (day.getDay() % 6 !== 0) days.unshift(day.getTime())
  }
  return (day, minute) => (day < 4 ? (days[day] as number) + minute * MINUTE_MS : now - (end + 4 - minute) * MINUTE_MS)
}
