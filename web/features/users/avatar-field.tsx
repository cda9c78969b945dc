import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, useRef, useState } from 'react'
import { removeAvatar } from '#contract/avatars'
import { call } from '../../api-client/api.ts'
import { explainFailure } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { Button } from '../../ui/input/button.tsx'
import { notePictures, usePicture } from '../../ui/pictures.ts'
import { AvatarDialog } from './avatar-dialog.tsx'

/** My picture, with buttons to change it. */
export function AvatarField() {
  const { id, name } = useMe()
  const hasPicture = Boolean(usePicture(id))
  const [file, setFile] = useState<File>()
  const input = useRef<HTMLInputElement>(null)
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(removeAvatar, {}),
    onSuccess: () => notePictures([{ id, avatarUrl: null }]),
    onError: (error) => {
      console.error('Failed to remove a picture:', error)
      showToast(explainFailure(t('users.picture.removeFailed'), error))
    },
  })

  function onChange({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    setFile(currentTarget.files?.[0])
    // Lets the user choose the same file again.
    currentTarget.value = ''
  }

  return (
    <div className="mb-5 flex items-center gap-4">
      <Avatar id={id} name={name} size="xl" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap gap-2">
          <Button variant="line" onClick={() => input.current?.click()}>
            {hasPicture ? t('users.picture.change') : t('users.picture.upload')}
          </Button>
          {hasPicture && (
            <Button isBusy={isPending} onClick={() => mutate()}>
              {t('users.picture.remove')}
            </Button>
          )}
        </div>
        <p className="mt-1.5 text-faint text-meta">{t('users.picture.hint')}</p>
      </div>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
        hidden
        aria-label={t('users.picture.file')}
        onChange={onChange}
      />
      {file && <AvatarDialog file={file} onClose={() => setFile(undefined)} />}
    </div>
  )
}
