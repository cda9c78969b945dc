// Written by `npm run languages` from languages/en.json.

export type NoValues = Record<never, never>
/** A part of a text that is wrapped, such as `<b>…</b>`. */
export interface Tag {
  readonly tag: true
}

/** The texts of languages/en.json by id, with the values that each takes. */
export interface TextValues {
  'app.loading': NoValues
  'app.loadingSignIn': NoValues
  'channels.unreadCount': { count: number }
  'drafts.loading': NoValues
  'emoji.category.activity': NoValues
  'emoji.category.flags': NoValues
  'emoji.category.foods': NoValues
  'emoji.category.frequent': NoValues
  'emoji.category.nature': NoValues
  'emoji.category.objects': NoValues
  'emoji.category.people': NoValues
  'emoji.category.places': NoValues
  'emoji.category.symbols': NoValues
  'emoji.noneFound': NoValues
  'emoji.noneFoundHint': NoValues
  'emoji.pick': NoValues
  'emoji.search': NoValues
  'emoji.searchResults': NoValues
  'emoji.skin.choose': NoValues
  'emoji.skin.dark': NoValues
  'emoji.skin.default': NoValues
  'emoji.skin.light': NoValues
  'emoji.skin.medium': NoValues
  'emoji.skin.mediumDark': NoValues
  'emoji.skin.mediumLight': NoValues
  'files.size.bytes': { size: string | number }
  'files.size.gigabytes': { size: string | number }
  'files.size.kilobytes': { size: string | number }
  'files.size.megabytes': { size: string | number }
  'files.size.terabytes': { size: string | number }
  'language.direction': NoValues
  'language.name': NoValues
  'threads.loading': NoValues
  'threads.newRepliesCount': { count: number }
  'time.daysAgo': { count: number }
  'time.hoursAgo': { count: number }
  'time.justNow': NoValues
  'time.minutesAgo': { count: number }
  'time.today': NoValues
  'time.yesterday': NoValues
  'ui.cancel': NoValues
  'ui.close': NoValues
  'ui.copyBlocked': NoValues
  'ui.countOrMore': { count: number }
  'ui.download': NoValues
  'ui.downloadFailed': NoValues
  'ui.foldersRefused': NoValues
  'ui.lightbox.next': NoValues
  'ui.lightbox.noPreview': NoValues
  'ui.lightbox.previous': NoValues
  'ui.lightbox.sizeAndPlace': { count: number; place: number; size: string | number }
  'ui.listComma': NoValues
  'ui.loadFailed': NoValues
  'ui.loading': NoValues
  'ui.mentionCount': { count: number }
  'ui.offline': NoValues
  'ui.online': NoValues
  'ui.removeNamed': { name: string | number }
  'ui.tooLong': { count: number }
  'ui.tryAgain': NoValues
}
