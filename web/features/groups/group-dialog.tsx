import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import type { CallOf } from '#contract/endpoint'
import { createGroup, type Group, type GroupDetails, getGroup, updateGroup } from '#contract/groups'
import { ASSISTANT } from '#contract/ids'
import { limits } from '#contract/limits'
import { DEFAULT_STATUS, type Profile, type User } from '#contract/users'
import { call } from '../../api-client/api.ts'
import { failureText } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import { allGroups, refetchGroups } from '../../people/group-queries.ts'
import { UserPicker } from '../../people/user-picker.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { Button } from '../../ui/input/button.tsx'
import { Field } from '../../ui/input/field.tsx'
import { SearchSelect } from '../../ui/input/search-select.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'

interface Props {
  /** The group to change; undefined for a new one. */
  group: Group | undefined
  onClose: () => void
}

/** Creates or changes a group: its name, its people, and the groups in it. */
export function GroupDialog({ group, onClose }: Props) {
  const title = group ? t('groups.edit') : t('groups.new')
  const { data, error, refetch } = useQuery({
    queryKey: ['groups', group?.id] as const,
    queryFn: () => (group ? call(getGroup, { params: { groupId: group.id } }) : null),
    // An outdated list must not be edited.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  if (data === undefined)
    return (
      <Dialog title={title} onClose={onClose}>
        {error ? <LoadError text={t('groups.loadFailed')} retry={() => void refetch()} /> : <SkeletonRows />}
      </Dialog>
    )
  return <GroupForm title={title} group={data} onClose={onClose} />
}

const asProfile = (user: User): Profile => ({
  ...user,
  status: 'offline',
  user_status: DEFAULT_STATUS,
  avatarUrl: null,
  deactivatedAt: null,
})

/** A group within another one. */
type Part = Pick<Group, 'id' | 'username'>

/** Changes a group, or creates one if there is no id. */
function useSaveGroup(id: string | undefined, onSaved: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: CallOf<typeof createGroup>['body']) =>
      id ? call(updateGroup, { params: { groupId: id }, body }) : call(createGroup, { body }),
    onSuccess: () => {
      refetchGroups(client)
      onSaved()
    },
    onError: (problem) => console.error('Failed to save group:', problem),
  })
}

function GroupForm({ title, group, onClose }: { title: string; group: GroupDetails | null; onClose: () => void }) {
  const [name, setName] = useState(group?.name ?? '')
  const [username, setUsername] = useState(group?.username ?? '')
  const [people, setPeople] = useState<Profile[]>(group?.people.map(asProfile) ?? [])
  const [parts, setParts] = useState<Part[]>(group?.groups ?? [])
  const { min, max } = limits.username
  const { mutate, isPending, error } = useSaveGroup(group?.id, onClose)
  const isComplete = name.trim() !== '' && username.trim().length >= min

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (!isComplete || isPending) return
    mutate({ name, username, userIds: people.map(({ id }) => id), groupIds: parts.map(({ id }) => id) })
  }

  return (
    <Dialog
      title={title}
      action={
        <Button type="submit" variant="pine" disabled={!isComplete || isPending}>
          {t('ui.save')}
        </Button>
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="grid content-start gap-4 overflow-y-auto overscroll-contain px-6 pt-1 pb-2 max-wide:min-h-0 max-wide:px-(--gutter)">
        <Field
          label={t('groups.name')}
          value={name}
          maxLength={limits.personName}
          onChange={({ target }) => setName(target.value)}
        />
        <Field
          label={t('groups.username')}
          dir="ltr"
          autoCapitalize="none"
          spellCheck={false}
          before={<span className="text-faint">@</span>}
          hint={t('groups.usernameHint', { min, max })}
          value={username}
          maxLength={max}
          onChange={({ target }) => setUsername(target.value.toLowerCase())}
        />
        <PartGroups ownId={group?.id} parts={parts} onChange={setParts} />
        <div>
          <h3 className="mb-1.5 font-[550] text-ui">{t('groups.people')}</h3>
          <UserPicker
            without={NO_PEOPLE}
            offersMe
            chosen={people}
            onChoose={setPeople}
            maxChosen={limits.group.people}
          />
        </div>
      </div>
      {error && (
        <p role="alert" className="px-6 pt-2 text-danger text-ui max-wide:px-(--gutter)">
          {failureText(t('groups.saveFailed'), error)}
        </p>
      )}
    </Dialog>
  )
}

/** The assistant answers one person at a time. */
const NO_PEOPLE: ReadonlySet<string> = new Set([ASSISTANT])

interface PartGroupsProps {
  /** The group that is changed, which cannot be in itself. */
  ownId: string | undefined
  parts: Part[]
  onChange: (parts: Part[]) => void
}

/** The groups in this one: adds and removes them. */
function PartGroups({ ownId, parts, onChange }: PartGroupsProps) {
  const { data: groups = [] } = useQuery(allGroups)
  const offered = groups.filter(({ id }) => id !== ownId && !parts.some((part) => part.id === id))
  if (offered.length === 0 && parts.length === 0) return null
  return (
    <div className="grid gap-2">
      {offered.length > 0 && (
        <SearchSelect
          label={t('groups.addGroup')}
          options={offered.map((it) => ({ value: it.id, name: `@${it.username}` }))}
          value={undefined}
          onChange={(id) => onChange([...parts, ...offered.filter((it) => it.id === id)])}
        />
      )}
      {parts.length > 0 && (
        <ul aria-label={t('groups.parts')} className="flex flex-wrap gap-1.5">
          {parts.map((part) => (
            <li key={part.id} className="flex items-center gap-1 rounded-s bg-sunk ps-2 text-ui">
              <bdi dir="ltr">@{part.username}</bdi>
              <button
                type="button"
                aria-label={t('ui.removeNamed', { name: `@${part.username}` })}
                className="grid size-7 place-items-center rounded-s text-soft hover:text-ink pointer-coarse:size-11"
                onClick={() => onChange(parts.filter(({ id }) => id !== part.id))}
              >
                <X size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
