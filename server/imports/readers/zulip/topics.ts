import type { ChannelRecord, ContentPart, ReadChoices } from '../../records.ts'
import type { Findings } from '../common/findings.ts'
import { entryOf } from '../common/values.ts'
import { type LinkToTopic, topicLine } from './zulip-text.ts'

/** Longer names may be cut, also to get a suffix. */
const MAX_NAME = 60
const NO_TOPICS = new Set(['', '(no topic)'])

interface Sent {
  id: string
  authorKey: string
  createdAt: string
  /** The key of the channel or conversation. */
  sentTo: string
  topic: string
}

interface Place {
  channelKey: string
  parentKey: string | null
  /** Precedes the message's text. */
  heading: ContentPart[]
}

/** Makes threads or channels of topics. */
export class Topics {
  readonly #findings: Findings
  readonly #asChannels: boolean
  /** The first message of each topic, by channel and the topic's lower-case name. */
  readonly #first = new Map<string, Map<string, string>>()
  /** Who wrote in a public channel's topic, if topics become channels. */
  readonly #writers = new Map<ChannelRecord, Set<string>>()

  constructor(findings: Findings, topics: ReadChoices['topics']) {
    this.#findings = findings
    this.#asChannels = topics === 'channels'
  }

  /** Where a message belongs. */
  placeOf(sent: Sent): Place {
    const { id, sentTo } = sent
    const topic = sent.topic.trim()
    const outer = sentTo.startsWith('stream ') ? this.#findings.channels.get(sentTo) : undefined
    if (!outer || NO_TOPICS.has(topic)) return { channelKey: sentTo, parentKey: null, heading: [] }
    const topics = entryOf(this.#first, sentTo, () => new Map<string, string>())
    const first = entryOf(topics, topic.toLowerCase(), () => id)
    if (this.#asChannels) return { channelKey: this.#channelOf(sent, outer, topic), parentKey: null, heading: [] }
    if (first === id) return { channelKey: sentTo, parentKey: null, heading: [{ text: topicLine(topic) }] }
    return { channelKey: sentTo, parentKey: first, heading: [] }
  }

  /** The key of a topic's channel, to which the message's author belongs. */
  #channelOf({ authorKey, createdAt, sentTo }: Sent, outer: ChannelRecord, topic: string): string {
    const key = keyOf(sentTo, topic)
    const name = `${outer.name}: ${topic}`
    const channel = entryOf(this.#findings.channels, key, () => ({
      ...outer,
      ...{ key, name, topicOf: sentTo, ownerKey: authorKey, createdAt },
      topic: name.length > MAX_NAME ? topic : outer.topic,
    }))
    // Messages may come in any order.
    if (channel.createdAt === null || createdAt < channel.createdAt)
      Object.assign(channel, { createdAt, ownerKey: authorKey })
    // Whoever may read a private channel may read its topics. Those of a public one are open to everybody.
    if (outer.visibility === 'public') entryOf(this.#writers, channel, () => new Set<string>()).add(authorKey)
    return key
  }

  /** A reference to a topic that has messages so far. */
  linkTo: LinkToTopic = (channelKey, topic) => {
    const first = this.#first.get(channelKey)?.get(topic.trim().toLowerCase())
    if (first === undefined) return undefined
    if (!this.#asChannels) return { message: first }
    return { channel: keyOf(channelKey, topic) }
  }

  /** To be called after the last message. */
  finish() {
    for (const [channelKey, topics] of this.#first) {
      const channel = this.#findings.channels.get(channelKey)
      if (channel) channel.topics = topics.size
    }
    for (const [channel, writers] of this.#writers) {
      const outer = this.#findings.channels.get(channel.topicOf ?? '')
      // Programs and people who have left can't own it.
      const owner = [...writers].some(this.#isActive)
        ? undefined
        : [outer?.ownerKey ?? '', ...(outer?.memberKeys ?? [])].find(this.#isActive)
      channel.memberKeys = [...writers, ...(owner === undefined ? [] : [owner])]
    }
  }

  #isActive = (key: string) => {
    const person = this.#findings.people.get(key)
    return person !== undefined && !person.isBot && !person.isDeactivated
  }
}

const keyOf = (channelKey: string, topic: string) => `${channelKey} topic ${topic.trim().toLowerCase()}`
