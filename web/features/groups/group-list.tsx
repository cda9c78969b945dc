import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { deleteGroup, type Group } from '#contract/groups'
import { call } from '../../api-client/api.ts'
import { failureText } from '../../api-client/failure-text.ts'
import { rich, t } from '../../i18n/text.ts'
import { GroupLine } from '../../people/group-line.tsx'
import { allGroups, refetchGroups } from '../../people/group-queries.ts'
import ConfirmDialog from '../../ui/dialog/confirm-dialog.tsx'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { Button } from '../../ui/input/button.tsx'
import { IconButton } from '../../ui/input/icon-button.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { Tag } from '../../ui/tag.tsx'
import { GroupDialog } from './group-dialog.tsx'

/** All groups, with dialogs to create, change and delete them. */
export function GroupList() {
  const client = useQueryClient()
  const [editing, setEditing] = useState<Group | 'new'>()
  const [deleting, setDeleting] = useState<Group>()
  const { data: groups, error, refetch } = useQuery(allGroups)
  useEffect(() => {
    if (error) console.error('Failed to load groups:', error)
  }, [error])
  const { mutate, error: deleteError } = useMutation({
    mutationFn: ({ id }: Group) => call(deleteGroup, { params: { groupId: id } }),
    onError: (problem) => console.error('Failed to delete group:', problem),
    onSettled: () => refetchGroups(client),
  })

  if (!groups && error) return <LoadError text={t('groups.loadFailed')} retry={() => void refetch()} />
  if (!groups) return <SkeletonRows />
  return (
    <>
      {groups.length === 0 && <p className="mb-4 text-soft text-ui">{t('groups.none')}</p>}
      <ul aria-label={t('groups.title')} className="mb-4">
        {groups.map((group) => (
          <li
            key={group.id}
            className="flex min-h-12 items-center gap-2 border-line border-t py-1.5 text-ui first:border-t-0"
          >
            <GroupLine group={group} />
            {group.isManaged && <Tag>{t('groups.managed')}</Tag>}
            <span className="ms-auto flex-none ps-2 text-faint text-meta tabular-nums">
              {t('groups.count', { count: group.peopleCount })}
            </span>
            {!group.isManaged && (
              <>
                <IconButton
                  name={t('groups.editNamed', { name: `@${group.username}` })}
                  onClick={() => setEditing(group)}
                >
                  <Pencil size={16} />
                </IconButton>
                <IconButton
                  name={t('groups.deleteNamed', { name: `@${group.username}` })}
                  onClick={() => setDeleting(group)}
                >
                  <Trash2 size={16} />
                </IconButton>
              </>
            )}
          </li>
        ))}
      </ul>
      {deleteError && (
        <p role="alert" className="mb-3 text-danger text-ui">
          {failureText(t('groups.deleteFailed'), deleteError)}
        </p>
      )}
      <Button variant="line" onClick={() => setEditing('new')}>
        {t('groups.new')}
      </Button>
      {editing && <GroupDialog group={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />}
      {deleting && (
        <ConfirmDialog
          title={t('groups.delete')}
          action={t('groups.delete')}
          variant="danger"
          onConfirm={() => {
            mutate(deleting)
            setDeleting(undefined)
          }}
          onClose={() => setDeleting(undefined)}
        >
          {rich('groups.deleteText', { name: <bdi>{`@${deleting.username}`}</bdi> })}
        </ConfirmDialog>
      )}
    </>
  )
}
