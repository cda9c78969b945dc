// Written by `npm run languages` from languages/en.json.

export type NoValues = Record<never, never>
/** A part of a text that is wrapped, such as `<b>…</b>`. */
export interface Tag {
  readonly tag: true
}

/** The texts of languages/en.json by id, with the values that each takes. */
export interface TextValues {
  'accessibility.announce.all': NoValues
  'accessibility.announce.hint': NoValues
  'accessibility.announce.mentions': NoValues
  'accessibility.announce.off': NoValues
  'accessibility.announce.title': NoValues
  'accessibility.letters.hint': NoValues
  'accessibility.letters.title': NoValues
  'app.crashed': NoValues
  'app.loading': NoValues
  'app.loadingSignIn': NoValues
  'app.newVersion': NoValues
  'app.reload': NoValues
  'app.startingSession': NoValues
  'app.unreachable': NoValues
  'app.unreachableText': NoValues
  'appearance.browserLanguage': NoValues
  'appearance.language': NoValues
  'appearance.languageFailed': NoValues
  'appearance.theme.dark': NoValues
  'appearance.theme.light': NoValues
  'appearance.theme.system': NoValues
  'appearance.theme.title': NoValues
  'assistant.example.decided': NoValues
  'assistant.example.decidedIn': { channel: string | number }
  'assistant.example.missed': NoValues
  'assistant.example.missedIn': { channel: string | number }
  'assistant.example.unanswered': NoValues
  'assistant.examples': NoValues
  'channels.addFavorite': NoValues
  'channels.addFavoriteFailed': NoValues
  'channels.addTopic': NoValues
  'channels.assistant': NoValues
  'channels.conversationActions': NoValues
  'channels.create.action': NoValues
  'channels.create.failed': NoValues
  'channels.create.nameHint': NoValues
  'channels.create.open': NoValues
  'channels.create.title': NoValues
  'channels.delete': NoValues
  'channels.deleting.action': NoValues
  'channels.deleting.done': { name: string | number }
  'channels.deleting.failed': NoValues
  'channels.deleting.question': { b: Tag; name: string | number }
  'channels.deleting.title': NoValues
  'channels.edit': NoValues
  'channels.editTopic': { hidden: Tag; topic: string | number }
  'channels.editing.failed': NoValues
  'channels.editing.title': NoValues
  'channels.editing.topicHint': NoValues
  'channels.ended.deleted': { channel: string | number }
  'channels.ended.deletedMore': NoValues
  'channels.ended.goTo': { channel: string | number }
  'channels.ended.left': { channel: string | number }
  'channels.ended.leftMore': NoValues
  'channels.ended.notFound': NoValues
  'channels.ended.notFoundMore': NoValues
  'channels.ended.notFoundToast': NoValues
  'channels.ended.open': { channel: string | number }
  'channels.ended.preview': { channel: string | number }
  'channels.ended.private': { channel: string | number }
  'channels.ended.privateMore': NoValues
  'channels.invite': NoValues
  'channels.invitePeople': NoValues
  'channels.inviting.action': NoValues
  'channels.inviting.failed': NoValues
  'channels.inviting.title': NoValues
  'channels.join': NoValues
  'channels.joinChannel': NoValues
  'channels.joinFailed': NoValues
  'channels.joinNamed': { name: string | number }
  'channels.joinTimeout': NoValues
  'channels.leave': NoValues
  'channels.leaveTimeout': NoValues
  'channels.leaving.action': NoValues
  'channels.leaving.done': { name: string | number }
  'channels.leaving.failed': NoValues
  'channels.leaving.question': { b: Tag; name: string | number }
  'channels.leaving.questionPublic': { b: Tag; name: string | number }
  'channels.leaving.title': NoValues
  'channels.list.channels': NoValues
  'channels.list.direct': NoValues
  'channels.list.failed': NoValues
  'channels.list.favorites': NoValues
  'channels.list.loading': NoValues
  'channels.list.notJoined': NoValues
  'channels.markReadFailed': NoValues
  'channels.markUnreadFailed': NoValues
  'channels.memberCount': { count: number }
  'channels.members': NoValues
  'channels.membersFailed': NoValues
  'channels.membersIn': { name: string | number }
  'channels.mute': NoValues
  'channels.muteFailed': NoValues
  'channels.name': NoValues
  'channels.newDirect': NoValues
  'channels.newDirect.failed': NoValues
  'channels.newDirect.hint': NoValues
  'channels.newDirect.known': NoValues
  'channels.newDirect.limit': NoValues
  'channels.newDirect.message': NoValues
  'channels.newDirect.messageTo': { name: string | number }
  'channels.newDirect.startGroup': NoValues
  'channels.newDirect.title': NoValues
  'channels.noMembersFound': NoValues
  'channels.nobodyElse': NoValues
  'channels.offline': NoValues
  'channels.online': NoValues
  'channels.onlyInvited': NoValues
  'channels.owner': NoValues
  'channels.previewing': { b: Tag; name: string | number }
  'channels.private': NoValues
  'channels.privateChannel': NoValues
  'channels.promote': { name: string | number }
  'channels.promoting.action': NoValues
  'channels.promoting.failed': NoValues
  'channels.promoting.question': { channel: string | number; person: string | number }
  'channels.promoting.title': NoValues
  'channels.removeFavorite': NoValues
  'channels.removeFavoriteFailed': NoValues
  'channels.removing.action': NoValues
  'channels.removing.failed': NoValues
  'channels.removing.question': { channel: string | number; person: string | number }
  'channels.removing.title': NoValues
  'channels.row.muted': NoValues
  'channels.row.notJoined': NoValues
  'channels.row.unread': NoValues
  'channels.search': NoValues
  'channels.searchMembers': NoValues
  'channels.selectOne': NoValues
  'channels.signedOut': NoValues
  'channels.start.assistant': NoValues
  'channels.start.channel': { name: string | number }
  'channels.start.created': { day: (string & {}) | 'today' | 'yesterday' }
  'channels.start.direct': { names: string | number }
  'channels.start.everyone': NoValues
  'channels.start.members': { count: number }
  'channels.start.mine': { day: (string & {}) | 'today' | 'yesterday' }
  'channels.start.owned': { day: (string & {}) | 'today' | 'yesterday'; owner: string | number }
  'channels.start.readers': { count: number }
  'channels.topic': NoValues
  'channels.unmute': NoValues
  'channels.unmuteFailed': NoValues
  'channels.unreadAbove': { hidden: Tag }
  'channels.unreadBelow': { hidden: Tag }
  'channels.unreadCount': { count: number }
  'connection.givenUp': NoValues
  'connection.givenUpBrief': NoValues
  'connection.lost': NoValues
  'connection.lostBrief': NoValues
  'connection.offline': NoValues
  'connection.offlineBrief': NoValues
  'connection.open': NoValues
  'connection.opening': NoValues
  'connection.reconnect': NoValues
  'drafts.fromDeleted': NoValues
  'drafts.loading': NoValues
  'drafts.mark': NoValues
  'drafts.none': NoValues
  'drafts.noneHint': NoValues
  'drafts.notSent': NoValues
  'drafts.notSentYet': NoValues
  'drafts.title': NoValues
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
  'errors.assistantAccount': NoValues
  'errors.assistantIsMember': NoValues
  'errors.badRange': NoValues
  'errors.beginsWithHash': { field: string | number }
  'errors.busy': NoValues
  'errors.channelNameTaken': NoValues
  'errors.channelNotFound': NoValues
  'errors.clientIdReused': NoValues
  'errors.databaseAway': NoValues
  'errors.deactivated': NoValues
  'errors.editConflict': NoValues
  'errors.empty': { field: string | number }
  'errors.emptyMessage': NoValues
  'errors.field.content': NoValues
  'errors.field.emoji': NoValues
  'errors.field.file': NoValues
  'errors.field.members': NoValues
  'errors.field.name': NoValues
  'errors.field.topic': NoValues
  'errors.field.username': NoValues
  'errors.fileAttached': NoValues
  'errors.fileNotFound': NoValues
  'errors.fileTooLarge': { max: number }
  'errors.forbidden': NoValues
  'errors.generalStays': NoValues
  'errors.inAnotherChannel': { field: string | number }
  'errors.internal': NoValues
  'errors.invalidHost': NoValues
  'errors.invalidInput': { field: string | number }
  'errors.invisibleCharacters': { field: string | number }
  'errors.inviteEnded': NoValues
  'errors.inviteNeeded': NoValues
  'errors.inviteNotFound': NoValues
  'errors.isYou': { field: string | number }
  'errors.malformed': { detail: string | number }
  'errors.malformedForm': NoValues
  'errors.memberNotFound': NoValues
  'errors.messageDeleted': NoValues
  'errors.messageNotFound': NoValues
  'errors.messageNotStored': NoValues
  'errors.methodNotAllowed': { methods: string | number }
  'errors.mustBeActiveMember': { field: string | number }
  'errors.mustBeOnlyFile': { field: string | number }
  'errors.mustNameFewerOthers': { field: string | number; max: number }
  'errors.mustNameSomeone': { field: string | number }
  'errors.mustNameSomeoneElse': { field: string | number }
  'errors.nameReserved': NoValues
  'errors.nameTooLong': { max: number }
  'errors.namesElsewhere': NoValues
  'errors.newOwnerNotMember': NoValues
  'errors.noSpeech': NoValues
  'errors.noSuchFile': NoValues
  'errors.nobodyLeaves': NoValues
  'errors.notACursor': { field: string | number }
  'errors.notADay': { field: string | number }
  'errors.notALanguage': { field: string | number }
  'errors.notAMember': NoValues
  'errors.notANumber': { field: string | number }
  'errors.notAParent': NoValues
  'errors.notAUsername': { field: string | number; max: number; min: number }
  'errors.notAWholeNumber': { field: string | number }
  'errors.notAnId': { field: string | number }
  'errors.notOneEmoji': { field: string | number }
  'errors.notOneOf': { field: string | number; options: string | number }
  'errors.nothingToSay': NoValues
  'errors.onlyYou': NoValues
  'errors.ownerCannotLeave': NoValues
  'errors.ownerNotRemovable': NoValues
  'errors.pageNotFound': NoValues
  'errors.providerAway': { provider: string | number }
  'errors.providerOnly': { provider: string | number }
  'errors.quotaExceeded': NoValues
  'errors.rateLimited': NoValues
  'errors.repeatedFile': { field: string | number }
  'errors.requestTooLarge': NoValues
  'errors.required': { field: string | number }
  'errors.reserved': { field: string | number }
  'errors.searchTimedOut': NoValues
  'errors.sessionNotFound': NoValues
  'errors.signUpClosed': NoValues
  'errors.speechAway': NoValues
  'errors.speechQuota': { count: number }
  'errors.storageAway': NoValues
  'errors.storageFull': NoValues
  'errors.taken': { field: string | number }
  'errors.theyAreMember': NoValues
  'errors.threadNotFound': NoValues
  'errors.thumbnailNotFound': NoValues
  'errors.tooLong': { field: string | number; max: number }
  'errors.tooManyAttempts': NoValues
  'errors.tooManyChannels': { field: string | number; max: number }
  'errors.tooManyChannelsHeld': { field: string | number; max: number }
  'errors.tooManyFiles': { field: string | number; max: number }
  'errors.tooManyFirstMembers': { field: string | number; max: number }
  'errors.tooManyInvites': { max: number }
  'errors.tooManyOpenChannels': NoValues
  'errors.tooManyPeople': { max: number }
  'errors.tooManyReactions': { max: number }
  'errors.tooManySearches': NoValues
  'errors.tooManyTabs': NoValues
  'errors.tooManyThreads': { field: string | number; max: number }
  'errors.tooManyUploads': NoValues
  'errors.unauthenticated': NoValues
  'errors.unreachable': NoValues
  'errors.unstorable': { field: string | number }
  'errors.uploadInterrupted': NoValues
  'errors.uploadStalled': NoValues
  'errors.userNotFound': NoValues
  'errors.usernameRequired': NoValues
  'errors.usernameTaken': NoValues
  'errors.youAreMember': NoValues
  'failures.because': { what: string | number; why: string | number }
  'failures.noConnection': NoValues
  'failures.sentence': { text: string | number }
  'failures.upload': NoValues
  'failures.uploadBecause': { why: string | number }
  'failures.uploadNoBucket': NoValues
  'failures.uploadSignedOut': NoValues
  'files.downloadFile': NoValues
  'files.downloadNamed': { name: string | number }
  'files.drop.here': NoValues
  'files.drop.hint': { browse: Tag }
  'files.drop.label': NoValues
  'files.everyone': NoValues
  'files.filter': NoValues
  'files.goToMessage': NoValues
  'files.kind.all': NoValues
  'files.kind.audio': NoValues
  'files.kind.documents': NoValues
  'files.kind.images': NoValues
  'files.kind.legend': NoValues
  'files.kind.video': NoValues
  'files.loadFailed': NoValues
  'files.loading': NoValues
  'files.nameAndMore': { count: number; name: string | number }
  'files.none': NoValues
  'files.noneFound': NoValues
  'files.noneFoundHint': NoValues
  'files.noneHint': NoValues
  'files.open': NoValues
  'files.refresh': NoValues
  'files.size.bytes': { size: string | number }
  'files.size.gigabytes': { size: string | number }
  'files.size.kilobytes': { size: string | number }
  'files.size.megabytes': { size: string | number }
  'files.size.terabytes': { size: string | number }
  'files.title': NoValues
  'files.tooLarge': { files: string | number; size: string | number }
  'files.tooMany': { max: number }
  'files.tooSmall': { files: string | number }
  'files.upload.action': NoValues
  'files.upload.busy': NoValues
  'files.upload.everyone': NoValues
  'files.upload.hint': NoValues
  'files.upload.noneChosen': NoValues
  'files.upload.shareWith': NoValues
  'files.upload.title': NoValues
  'files.uploading': { name: string | number }
  'identity.accounts.admin': NoValues
  'identity.accounts.deactivate': NoValues
  'identity.accounts.deactivateFailed': { name: string | number }
  'identity.accounts.deactivateText': { name: string | number }
  'identity.accounts.deactivateTitle': NoValues
  'identity.accounts.deactivated': NoValues
  'identity.accounts.loadFailed': NoValues
  'identity.accounts.none': NoValues
  'identity.accounts.owner': NoValues
  'identity.accounts.reactivate': NoValues
  'identity.accounts.reactivateFailed': { name: string | number }
  'identity.accounts.reactivateText': { name: string | number }
  'identity.accounts.reactivateTitle': NoValues
  'identity.accounts.search': NoValues
  'identity.accounts.title': NoValues
  'identity.devices.active': { time: string | number }
  'identity.devices.activeNow': NoValues
  'identity.devices.browserOn': { browser: string | number; system: string | number }
  'identity.devices.current': NoValues
  'identity.devices.loadFailed': NoValues
  'identity.devices.signOut': NoValues
  'identity.devices.signOutDevice': { device: string | number; time: string | number }
  'identity.devices.signOutFailed': NoValues
  'identity.devices.signOutOthers': NoValues
  'identity.devices.title': NoValues
  'identity.devices.unknown': NoValues
  'identity.devices.unknownApp': NoValues
  'identity.invites.copyBlocked': NoValues
  'identity.invites.copyNow': NoValues
  'identity.invites.create': NoValues
  'identity.invites.createFailed': NoValues
  'identity.invites.days': NoValues
  'identity.invites.line': { date: string | number; max: number; name: string | number; soft: Tag; uses: number }
  'identity.invites.link': NoValues
  'identity.invites.list': NoValues
  'identity.invites.loadFailed': NoValues
  'identity.invites.newLink': { days: string | number; people: string | number }
  'identity.invites.people': NoValues
  'identity.invites.revoke': NoValues
  'identity.invites.revokeFailed': NoValues
  'identity.invites.revokeLabel': NoValues
  'identity.invites.title': NoValues
  'identity.signOut.button': NoValues
  'identity.signOut.confirm': NoValues
  'identity.signOut.discard': NoValues
  'identity.signOut.drafts': { count: number }
  'identity.signOut.edits': { count: number }
  'identity.signOut.files': { count: number }
  'identity.signOut.lost': { losses: string | number }
  'identity.signOut.messages': { count: number }
  'identity.signOut.question': NoValues
  'identity.signOut.title': NoValues
  'identity.signOut.uncounted': NoValues
  'identity.signOut.unsent': { unsent: string | number }
  'identity.workspace': NoValues
  'invite.ended': NoValues
  'invite.endedText': NoValues
  'invite.from': { name: string | number }
  'invite.loadFailed': NoValues
  'invite.title': NoValues
  'language.afterColon': NoValues
  'language.direction': NoValues
  'language.name': NoValues
  'messages.actions.copyLink': NoValues
  'messages.actions.copyPlainText': NoValues
  'messages.actions.copyText': NoValues
  'messages.actions.delete': NoValues
  'messages.actions.edit': NoValues
  'messages.actions.markUnread': NoValues
  'messages.actions.menu': NoValues
  'messages.actions.more': NoValues
  'messages.actions.profile': NoValues
  'messages.actions.quote': NoValues
  'messages.actions.react': NoValues
  'messages.actions.reactWith': { emoji: string | number }
  'messages.actions.readAloud': NoValues
  'messages.actions.reply': NoValues
  'messages.actions.stopReading': NoValues
  'messages.actions.viewPerson': { name: string | number }
  'messages.audio.elapsed': { elapsed: string | number; total: string | number }
  'messages.audio.failed': NoValues
  'messages.audio.on': { host: string | number }
  'messages.audio.openTab': NoValues
  'messages.audio.openTabHint': NoValues
  'messages.audio.play': NoValues
  'messages.audio.position': NoValues
  'messages.audio.stop': NoValues
  'messages.code.copy': NoValues
  'messages.code.copyBlocked': NoValues
  'messages.code.label': NoValues
  'messages.composer.attach': NoValues
  'messages.composer.attachFailed': NoValues
  'messages.composer.attached': NoValues
  'messages.composer.cancelFile': { name: string | number }
  'messages.composer.dropMessage': NoValues
  'messages.composer.dropReply': NoValues
  'messages.composer.emoji': NoValues
  'messages.composer.filesLabel': NoValues
  'messages.composer.maxFiles': { count: number }
  'messages.composer.mention': NoValues
  'messages.composer.message': NoValues
  'messages.composer.messagePlaceholder': NoValues
  'messages.composer.newLineHint': { b: Tag }
  'messages.composer.pasted': { time: string | number }
  'messages.composer.reply': NoValues
  'messages.composer.replyPlaceholder': NoValues
  'messages.composer.retryFile': { name: string | number }
  'messages.composer.send': NoValues
  'messages.composer.sendReply': NoValues
  'messages.composer.uploading': { name: string | number }
  'messages.copied.link': NoValues
  'messages.copied.text': NoValues
  'messages.delete.done': NoValues
  'messages.delete.lost': { count: number }
  'messages.edit.conflict': NoValues
  'messages.edit.discardMine': NoValues
  'messages.edit.discarded': NoValues
  'messages.edit.edited': NoValues
  'messages.edit.editedAt': { time: string | number }
  'messages.edit.empty': NoValues
  'messages.edit.hint': NoValues
  'messages.edit.label': NoValues
  'messages.edit.saveMine': NoValues
  'messages.edit.unsaved': NoValues
  'messages.failed.addReaction': NoValues
  'messages.failed.changeReaction': NoValues
  'messages.failed.delete': NoValues
  'messages.failed.edit': NoValues
  'messages.failed.load': NoValues
  'messages.failed.loadReactions': NoValues
  'messages.failed.quote': NoValues
  'messages.failed.removeReaction': NoValues
  'messages.failed.stopAnswer': NoValues
  'messages.files.audio': NoValues
  'messages.files.download': { hidden: Tag; name: string | number }
  'messages.files.file': NoValues
  'messages.files.image': NoValues
  'messages.files.more': { count: number }
  'messages.files.open': { name: string | number }
  'messages.files.openMore': { count: number; name: string | number }
  'messages.files.pdf': NoValues
  'messages.files.playVideo': { name: string | number; size: string | number }
  'messages.files.video': NoValues
  'messages.format.bold': NoValues
  'messages.format.bullets': NoValues
  'messages.format.code': NoValues
  'messages.format.codeBlock': NoValues
  'messages.format.italic': NoValues
  'messages.format.label': NoValues
  'messages.format.link': NoValues
  'messages.format.numbers': NoValues
  'messages.format.quote': NoValues
  'messages.format.sample': NoValues
  'messages.format.strikethrough': NoValues
  'messages.keys.close': NoValues
  'messages.keys.delete': NoValues
  'messages.keys.edit': NoValues
  'messages.keys.editLast': NoValues
  'messages.keys.firstUnread': NoValues
  'messages.keys.latest': NoValues
  'messages.keys.newLine': NoValues
  'messages.keys.next': NoValues
  'messages.keys.previous': NoValues
  'messages.keys.react': NoValues
  'messages.keys.readAloud': NoValues
  'messages.list.announced': { name: string | number; text: string | number }
  'messages.list.empty': NoValues
  'messages.list.gap': NoValues
  'messages.list.jumpToLatest': NoValues
  'messages.list.jumpToLatestNew': { count: number; new: Tag }
  'messages.list.jumpToUnread': NoValues
  'messages.list.label': NoValues
  'messages.list.loading': NoValues
  'messages.list.loadingMore': NoValues
  'messages.list.moreFailed': { retry: Tag }
  'messages.list.new': NoValues
  'messages.list.notFound': NoValues
  'messages.list.showWaiting': NoValues
  'messages.list.thinking': { name: string | number }
  'messages.list.waiting': { count: number }
  'messages.outbox.back': { reason: string | number }
  'messages.outbox.busy': NoValues
  'messages.outbox.connectionLost': NoValues
  'messages.outbox.discard': NoValues
  'messages.outbox.discarded': NoValues
  'messages.outbox.edit': NoValues
  'messages.outbox.elsewhere': NoValues
  'messages.outbox.interrupted': NoValues
  'messages.outbox.keepOpen': { reason: string | number }
  'messages.outbox.notSent': NoValues
  'messages.outbox.offline': NoValues
  'messages.outbox.replyNotSent': NoValues
  'messages.outbox.retry': NoValues
  'messages.reactions.byMe': { emoji: string | number }
  'messages.reactions.byMeToo': { emoji: string | number; people: string | number }
  'messages.reactions.byOthers': { count: number; emoji: string | number; people: string | number }
  'messages.reactions.others': { count: number }
  'messages.reactions.you': NoValues
  'messages.readAloud.failed': NoValues
  'messages.readAloud.nothing': NoValues
  'messages.readAloud.unavailable': NoValues
  'messages.row.deleted': NoValues
  'messages.row.fileDeleted': NoValues
  'messages.row.label': { name: string | number; time: string | number }
  'messages.row.stopAnswer': NoValues
  'messages.row.thinking': NoValues
  'messages.suggestions.emoji': NoValues
  'messages.summary.files': { count: number; names: string | number }
  'messages.summary.reactions': { counts: string | number }
  'messages.summary.replies': { count: number }
  'messages.table': NoValues
  'messages.task.done': NoValues
  'messages.task.open': NoValues
  'messages.thread.close': NoValues
  'messages.thread.count': { count: number }
  'messages.thread.failed': NoValues
  'messages.thread.lastReply': { time: string | number }
  'messages.thread.loading': NoValues
  'messages.thread.loadingHint': NoValues
  'messages.thread.moreFailed': NoValues
  'messages.thread.notFound': NoValues
  'messages.thread.replies': NoValues
  'messages.thread.showFirst': NoValues
  'messages.thread.showMore': { count: number }
  'messages.thread.title': NoValues
  'messages.typing.many': NoValues
  'messages.typing.one': { name: string | number }
  'messages.typing.started': { name: string | number }
  'messages.typing.two': { first: string | number; second: string | number }
  'messages.unsent.attached': NoValues
  'messages.unsent.discarded': NoValues
  'messages.unsent.edit': NoValues
  'messages.unsent.failed': NoValues
  'messages.unsent.message': NoValues
  'messages.unsent.reply': NoValues
  'messages.unsent.unknown': NoValues
  'notifications.blocked': NoValues
  'notifications.insecure': NoValues
  'notifications.missing': NoValues
  'notifications.notNow': NoValues
  'notifications.off': NoValues
  'notifications.offer': NoValues
  'notifications.offerText': NoValues
  'notifications.on': NoValues
  'notifications.titleIn': { name: string | number; place: string | number }
  'notifications.titleInThread': { name: string | number; place: string | number }
  'notifications.titleThread': { name: string | number }
  'notifications.turnOff': NoValues
  'notifications.turnOn': NoValues
  'people.card.assistant': NoValues
  'people.card.deactivated': NoValues
  'people.card.mention': NoValues
  'people.card.message': NoValues
  'people.card.status': NoValues
  'people.card.statusIs': { status: string | number }
  'people.card.title': NoValues
  'people.card.titleOf': { name: string | number }
  'people.invalidReply': NoValues
  'people.loadFailed': NoValues
  'people.name': NoValues
  'people.none': NoValues
  'people.offline': NoValues
  'people.online': NoValues
  'people.search': NoValues
  'people.status': { emoji: string | number }
  'people.username': NoValues
  'people.you': NoValues
  'readAll.conversations': { count: number }
  'readAll.done': { what: string | number }
  'readAll.failed': NoValues
  'readAll.nothing': NoValues
  'readAll.threads': { count: number }
  'readAll.undoFailed': NoValues
  'search.aMonthAgo': NoValues
  'search.aWeekAgo': NoValues
  'search.everywhere': NoValues
  'search.failed': NoValues
  'search.files': NoValues
  'search.filter': { label: string | number; meaning: string | number }
  'search.filter.after': NoValues
  'search.filter.before': NoValues
  'search.filter.from': NoValues
  'search.filter.has': NoValues
  'search.filter.in': NoValues
  'search.filter.me': NoValues
  'search.filters': NoValues
  'search.group.files': NoValues
  'search.group.filters': NoValues
  'search.group.messages': NoValues
  'search.group.places': NoValues
  'search.group.recent': NoValues
  'search.group.recentPlaces': NoValues
  'search.has.file': NoValues
  'search.has.fileHint': NoValues
  'search.has.link': NoValues
  'search.has.linkHint': NoValues
  'search.has.reaction': NoValues
  'search.has.reactionHint': NoValues
  'search.inThread': { location: string | number }
  'search.keys.close': NoValues
  'search.keys.move': NoValues
  'search.keys.open': NoValues
  'search.moreResults': { count: number; ms: number }
  'search.none': NoValues
  'search.noneFilteredHint': NoValues
  'search.noneHint': NoValues
  'search.open': NoValues
  'search.placeholder': NoValues
  'search.removeFilter': { label: string | number; meaning: string | number }
  'search.resultCount': { count: number; ms: number }
  'search.results': NoValues
  'search.searching': NoValues
  'search.title': NoValues
  'settings.accessibility': NoValues
  'settings.appearance': NoValues
  'settings.backFrom': { section: string | number }
  'settings.devices': NoValues
  'settings.keyboard': NoValues
  'settings.notifications': NoValues
  'settings.profile': NoValues
  'settings.title': NoValues
  'shell.closeSidebar': NoValues
  'shell.conversations': NoValues
  'shell.files': NoValues
  'shell.menu.account': NoValues
  'shell.menu.invite': NoValues
  'shell.menu.members': NoValues
  'shell.menu.readAll': NoValues
  'shell.menu.signOut': NoValues
  'shell.menu.workspace': NoValues
  'shell.shortcuts.anywhere': NoValues
  'shell.shortcuts.inConversation': NoValues
  'shell.shortcuts.keys': NoValues
  'shell.shortcuts.nextChannel': NoValues
  'shell.shortcuts.nextRegion': NoValues
  'shell.shortcuts.nextUnread': NoValues
  'shell.shortcuts.onMessage': NoValues
  'shell.shortcuts.or': NoValues
  'shell.shortcuts.panel': NoValues
  'shell.shortcuts.previousChannel': NoValues
  'shell.shortcuts.previousRegion': NoValues
  'shell.shortcuts.previousUnread': NoValues
  'shell.shortcuts.readAll': NoValues
  'shell.shortcuts.search': NoValues
  'shell.shortcuts.searchHere': NoValues
  'shell.shortcuts.threads': NoValues
  'shell.shortcuts.title': NoValues
  'shell.shortcuts.whileWriting': NoValues
  'shell.showChannels': NoValues
  'shell.sidebar': NoValues
  'shell.upload': NoValues
  'signIn.action': NoValues
  'signIn.busy': NoValues
  'signIn.continueWith': { provider: string | number }
  'signIn.cookies': NoValues
  'signIn.error.loginMissing': NoValues
  'signIn.error.manyTries': NoValues
  'signIn.error.passwordMissing': NoValues
  'signIn.error.tooFast': NoValues
  'signIn.error.wrong': NoValues
  'signIn.forgot': NoValues
  'signIn.hidePassword': NoValues
  'signIn.hosted.cancelled': NoValues
  'signIn.hosted.closed': NoValues
  'signIn.hosted.deactivated': NoValues
  'signIn.hosted.failed': { provider: string | number }
  'signIn.hosted.inviteEnded': NoValues
  'signIn.hosted.noEmail': { provider: string | number }
  'signIn.hosted.notLinked': { provider: string | number }
  'signIn.hosted.timedOut': NoValues
  'signIn.login': NoValues
  'signIn.newHere': { a: Tag }
  'signIn.or': NoValues
  'signIn.password': NoValues
  'signIn.sessionExpired': NoValues
  'signIn.showPassword': NoValues
  'signIn.signOutPending': NoValues
  'signIn.subtitle': NoValues
  'signIn.title': NoValues
  'signUp.action': NoValues
  'signUp.busy': NoValues
  'signUp.closedText': NoValues
  'signUp.closedTitle': NoValues
  'signUp.email': NoValues
  'signUp.error.email': NoValues
  'signUp.error.emailMissing': NoValues
  'signUp.error.emailTaken': NoValues
  'signUp.error.failed': NoValues
  'signUp.error.passwordShort': { min: number }
  'signUp.error.tooLong': { max: number }
  'signUp.error.username': { max: number; min: number }
  'signUp.error.usernameLength': { max: number; min: number }
  'signUp.error.usernameMissing': NoValues
  'signUp.error.usernameTaken': NoValues
  'signUp.fullName': NoValues
  'signUp.haveAccount': { a: Tag }
  'signUp.inviteText': NoValues
  'signUp.inviteTitle': NoValues
  'signUp.passwordHint': { min: number }
  'signUp.subtitle': NoValues
  'signUp.title': NoValues
  'signUp.usernameHint': { max: number; min: number }
  'suggestions.channels': NoValues
  'suggestions.everyone': NoValues
  'suggestions.everyoneOnline': NoValues
  'suggestions.notInChannel': NoValues
  'suggestions.people': NoValues
  'threads.all': NoValues
  'threads.follow': NoValues
  'threads.followFailed': NoValues
  'threads.followHint': NoValues
  'threads.following': NoValues
  'threads.list': NoValues
  'threads.loadFailed': NoValues
  'threads.loadMoreFailed': NoValues
  'threads.loading': NoValues
  'threads.newReplies': { count: number }
  'threads.newRepliesCount': { count: number }
  'threads.none': NoValues
  'threads.noneFollowedHere': NoValues
  'threads.noneText': NoValues
  'threads.noneUnread': NoValues
  'threads.noneUnreadText': NoValues
  'threads.readAll': NoValues
  'threads.shown': NoValues
  'threads.title': NoValues
  'threads.unfollowFailed': NoValues
  'threads.unfollowHint': NoValues
  'threads.unread': NoValues
  'threads.unreadCount': { count: number }
  'threads.untitled': NoValues
  'time.daysAgo': { count: number }
  'time.hoursAgo': { count: number }
  'time.justNow': NoValues
  'time.minutesAgo': { count: number }
  'time.today': NoValues
  'time.yesterday': NoValues
  'ui.actionsFor': { name: string | number }
  'ui.cancel': NoValues
  'ui.close': NoValues
  'ui.copied': NoValues
  'ui.copy': NoValues
  'ui.copyBlocked': NoValues
  'ui.copyLink': NoValues
  'ui.countOrMore': { count: number }
  'ui.download': NoValues
  'ui.downloadFailed': NoValues
  'ui.foldersRefused': NoValues
  'ui.lightbox.next': NoValues
  'ui.lightbox.noPreview': NoValues
  'ui.lightbox.previous': NoValues
  'ui.lightbox.sizeAndPlace': { count: number; place: number; size: string | number }
  'ui.linkCopied': NoValues
  'ui.listComma': NoValues
  'ui.loadFailed': NoValues
  'ui.loading': NoValues
  'ui.loadingMore': NoValues
  'ui.mentionCount': { count: number }
  'ui.moreActions': NoValues
  'ui.moreActionsFor': { name: string | number }
  'ui.offline': NoValues
  'ui.online': NoValues
  'ui.removeNamed': { name: string | number }
  'ui.save': NoValues
  'ui.saved': NoValues
  'ui.tooLong': { count: number }
  'ui.tryAgain': NoValues
  'ui.undo': NoValues
  'users.clearStatus': NoValues
  'users.currentStatus': { status: string | number }
  'users.saveFailed': NoValues
  'users.setStatus': NoValues
  'users.statusFailed': NoValues
  'users.statusTitle': NoValues
  'welcome.complete': { name: string | number }
  'welcome.createChannel': NoValues
  'welcome.findChannels': NoValues
  'welcome.findChannelsCount': { count: number }
  'welcome.invite': NoValues
  'welcome.notify': NoValues
  'welcome.progress': { all: number; done: number }
  'welcome.sayHello': { channel: string | number }
  'welcome.stepDone': { step: string | number }
  'welcome.title': { name: string | number }
}
