import { Download, Eye, Link, MessageSquareText } from 'lucide-react'
import type { StoredFile } from '#contract/files'
import { t } from '../../i18n/text.ts'
import { copyWithToast } from '../../ui/device/copy-text.ts'
import { download } from '../../ui/device/download.ts'
import { isTouch } from '../../ui/device/media.ts'
import { Menu, MenuItem } from '../../ui/menu/menu.tsx'

interface Props {
  file: StoredFile
  anchor: HTMLElement
  /** Without it the file has no preview. */
  onOpen: (() => void) | undefined
  /** Without it no message has the file. */
  onMessage: (() => void) | undefined
  onClose: () => void
}

/** The actions on a file. */
export function FileMenu({ file, anchor, onOpen, onMessage, onClose }: Props) {
  return (
    <Menu name={t('ui.actionsFor', { name: file.name })} anchor={anchor} isSheet={isTouch()} onClose={onClose}>
      {onOpen && (
        <MenuItem Icon={Eye} onClick={onOpen}>
          {t('files.open')}
        </MenuItem>
      )}
      <MenuItem Icon={Download} onClick={() => void download(file)}>
        {t('ui.download')}
      </MenuItem>
      {onMessage && (
        <MenuItem Icon={MessageSquareText} onClick={onMessage}>
          {t('files.goToMessage')}
        </MenuItem>
      )}
      <MenuItem
        Icon={Link}
        onClick={() => void copyWithToast(new URL(file.url, window.location.href).href, t('ui.linkCopied'))}
      >
        {t('ui.copyLink')}
      </MenuItem>
    </Menu>
  )
}
