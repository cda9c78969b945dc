import type { ImportReader } from '../records.ts'
import { discordReader } from './discord/discord.ts'
import { mattermostReader } from './mattermost.ts'
import { parleyReader } from './parley/parley.ts'
import { rocketchatReader } from './rocketchat/rocketchat.ts'
import { slackReader } from './slack/slack.ts'
import { zulipReader } from './zulip/zulip.ts'

/** In the order in which they are tried. */
export const readers: readonly ImportReader[] = [
  parleyReader,
  slackReader,
  zulipReader,
  rocketchatReader,
  // The following are recognized by file contents.
  discordReader,
  mattermostReader,
]
