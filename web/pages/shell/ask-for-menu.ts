import type { MouseEvent } from 'react'
import { t } from '../../i18n/text.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { preload } from '../../ui/lazy/lazy.tsx'
import { banners } from './lazy-parts.ts'

/**
 * Handles clicks on the buttons of header-menus.tsx, which may not have loaded yet. Once loaded, it opens the menu of the
 * button that is marked as asked for.
 */
export async function askForMenu({ currentTarget: button }: MouseEvent<HTMLElement>) {
  button.dataset['asked'] = ''
  if (await preload(banners)) return
  delete button.dataset['asked']
  showToast(t('ui.loadFailed'))
}
