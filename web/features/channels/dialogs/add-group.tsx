import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Channel } from '#contract/channels'
import { inviteGroup } from '#contract/groups'
import { call } from '../../../api-client/api.ts'
import { failureText } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { allGroups } from '../../../people/group-queries.ts'
import { Button } from '../../../ui/input/button.tsx'
import { SearchSelect } from '../../../ui/input/search-select.tsx'
import { putChannel } from '../cache/channel-cache.ts'

/** Adds all people of a group to a channel. Renders nothing if there are no groups. */
export function AddGroup({ channel, onDone }: { channel: Channel; onDone: () => void }) {
  const client = useQueryClient()
  const [chosen, setChosen] = useState<string>()
  const { data: groups = [] } = useQuery(allGroups)
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (groupId: string) =>
      putChannel(client, await call(inviteGroup, { params: { channelId: channel.id }, body: { groupId } })),
    onSuccess: onDone,
    onError: (problem) => console.error('Failed to invite group:', problem),
  })
  if (groups.length === 0) return null
  return (
    <div className="mb-3">
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <SearchSelect
            label={t('groups.addGroup')}
            options={groups.map(({ id, username, peopleCount }) => ({
              value: id,
              name: `@${username} · ${t('groups.count', { count: peopleCount })}`,
            }))}
            value={chosen}
            onChange={setChosen}
          />
        </div>
        <Button variant="line" isBusy={!chosen || isPending} onClick={() => chosen && !isPending && mutate(chosen)}>
          {t('groups.add')}
        </Button>
      </div>
      {error && (
        <p role="alert" className="mt-1.5 text-danger text-meta">
          {failureText(t('groups.inviteFailed'), error)}
        </p>
      )}
    </div>
  )
}
