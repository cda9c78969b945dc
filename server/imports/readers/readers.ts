import type { ImportReader } from '../records.ts'
import { discordReader } from './discord.ts'
import { mattermostReader } from './mattermost.ts'
import { parleyReader } from './parley.ts'
import { rocketchatReader } from './rocketchat.ts'
import { slackReader } from './slack/slack.ts'
import { zulipReader } from './zulip.ts'

/** Asked in this order whether an archive is theirs. */
export const readers: readonly ImportReader[] = [
  parleyReader,
  slackReader,
  zulipReader,
  rocketchatReader,
  // From here on by what the files contain.
  discordReader,
  mattermostReader,
]
