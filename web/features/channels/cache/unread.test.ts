import { expect, test } from 'vitest'
import type { Channel } from '#contract/channels'
import { decideNotification, notificationLevels } from '#contract/notification-rule'
import { aChannel } from '../../../test/a-channel.ts'
import { isUnread, notificationCount } from './unread.ts'

test('the sidebar shows what the rule says about a message', () => {
  for (const kind of ['public', 'direct'] as const)
    for (const muted of [true, false])
      for (const mention of ['name', null] as const)
        for (const level of notificationLevels) {
          const facts = { isOwn: false, isMember: true, isReply: false, followsThread: false, isQuiet: false, mention }
          const { effect, rule } = decideNotification({ ...facts, isDirect: kind === 'direct', isMuted: muted, level })
          const channel: Channel = aChannel({ kind, muted, unread: 1, mentions: mention ? 1 : 0 })
          // A message of a channel set to everything notifies without being counted.
          const isCounted = effect === 'badge' || (effect === 'notify' && rule !== 'everything')
          const shown = [notificationCount(channel) > 0, isUnread(channel)]
          expect(shown, JSON.stringify({ kind, muted, mention, level })).toEqual([isCounted, effect !== 'nothing'])
        }
})
