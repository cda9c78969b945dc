import type { ChannelRecord, ContentPart, ReadChoices } from '../../records.ts'
import type { Findings } from '../common/findings.ts'
import { entryOf } from '../common/values.ts'
import { type LinkToTopic, topicLine } from './zulip-text.ts'

/** Longer names may be cut, also to get a suffix. */
const MAX_NAME = 60
/** The list of the first message of each topic. */
const TOPICS = 'topics'
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
  /** The number of topics of each channel. */
  readonly #topics = new Map<string, number>()
  /** Who wrote in a public channel's topic, if topics become channels. */
  readonly #writers = new Map<ChannelRecord, Set<string>>()

  readonly #owners = new Map<string, string>()

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
    const first = this.#firstOf(sentTo, topic) ?? this.#start(sentTo, topic, id)
    if (this.#asChannels) return { channelKey: this.#channelOf(sent, outer, topic), parentKey: null, heading: [] }
    if (first === id) return { channelKey: sentTo, parentKey: null, heading: [{ text: topicLine(topic) }] }
    return { channelKey: sentTo, parentKey: first, heading: [] }
  }

  #firstOf = (channelKey: string, topic: string) => this.#findings.lists.last<string>(TOPICS, nameOf(channelKey, topic))

  #start(channelKey: string, topic: string, id: string) {
    this.#findings.lists.add(TOPICS, nameOf(channelKey, topic), id)
    this.#topics.set(channelKey, (this.#topics.get(channelKey) ?? 0) + 1)
    return id
  }

  /** The key of a topic's channel, to which the message's author belongs. */
  #channelOf({ authorKey, createdAt, sentTo }: Sent, outer: ChannelRecord, topic: string): string {
    const key = keyOf(sentTo, topic)
    const name = `${outer.name}: ${topic}`
    const channel = entryOf(this.#findings.channels, key, () => {
      if (outer.visibility !== 'public') this.#findings.members.add(outer.memberKeys)
      return {
        ...outer,
        ...{ key, name, topicOf: sentTo, ownerKey: authorKey, createdAt },
        topic: name.length > MAX_NAME ? topic : outer.topic,
      }
    })
    // Messages may come in any order.
    if (channel.createdAt === null || createdAt < channel.createdAt)
      Object.assign(channel, { createdAt, ownerKey: authorKey })
    // Whoever may read a private channel may read its topics. Those of a public one are open to everybody.
    if (outer.visibility === 'public') this.#addWriter(channel, authorKey)
    return key
  }

  #addWriter(channel: ChannelRecord, key: string) {
    const writers = entryOf(this.#writers, channel, () => new Set<string>())
    if (!writers.has(key)) this.#findings.members.add([key])
    writers.add(key)
  }

  /** A reference to a topic that has messages so far. */
  linkTo: LinkToTopic = (channelKey, topic) => {
    const first = this.#firstOf(channelKey, topic)
    if (first === undefined) return undefined
    if (!this.#asChannels) return { message: first }
    return { channel: keyOf(channelKey, topic) }
  }

  /** To be called after the last message. */
  finish() {
    for (const [channelKey, topics] of this.#topics) {
      const channel = this.#findings.channels.get(channelKey)
      if (channel) channel.topics = topics
    }
    for (const [channel, writers] of this.#writers) {
      // Programs and people who have left can't own it.
      const owner = [...writers].some(this.#isActive) ? '' : this.#ownerOf(channel.topicOf ?? '')
      channel.memberKeys = owner ? [...writers, owner] : [...writers]
    }
  }

  /** Somebody in a channel who can own its topics; '' if there is nobody. */
  #ownerOf = (channelKey: string) =>
    entryOf(this.#owners, channelKey, () => {
      const channel = this.#findings.channels.get(channelKey)
      return [channel?.ownerKey ?? '', ...(channel?.memberKeys ?? [])].find(this.#isActive) ?? ''
    })

  #isActive = (key: string) => {
    const person = this.#findings.people.get(key)
    return person !== undefined && !person.isBot && !person.isDeactivated
  }
}

/** For the list of topics. */
const nameOf = (channelKey: string, topic: string) => JSON.stringify([channelKey, topic.trim().toLowerCase()])

const keyOf = (channelKey: string, topic: string) => `${channelKey} topic ${topic.trim().toLowerCase()}`
