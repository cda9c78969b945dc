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
  'admin.notFoundMore': NoValues
  'admin.people': NoValues
  'admin.sections': NoValues
  'admin.title': NoValues
  'app.crashed': NoValues
  'app.draftsKept': NoValues
  'app.loading': NoValues
  'app.loadingSignIn': NoValues
  'app.newVersion': NoValues
  'app.offline': NoValues
  'app.offlineText': NoValues
  'app.reload': NoValues
  'app.startingSession': NoValues
  'app.toGeneral': NoValues
  'app.unreachable': NoValues
  'app.unreachableText': NoValues
  'appearance.browserLanguage': NoValues
  'appearance.language': NoValues
  'appearance.languageFailed': NoValues
  'appearance.previews': NoValues
  'appearance.previewsHint': NoValues
  'appearance.theme.dark': NoValues
  'appearance.theme.light': NoValues
  'appearance.theme.system': NoValues
  'appearance.theme.title': NoValues
  'appearance.undoSend': NoValues
  'appearance.undoSendHint': { keys: string | number }
  'assistant.answer.file': NoValues
  'assistant.answer.found': NoValues
  'assistant.answer.item': { day: string | number; name: string | number; place: string | number }
  'assistant.answer.latest': NoValues
  'assistant.answer.none': NoValues
  'assistant.answer.slow': NoValues
  'assistant.example.about': { topic: string | number }
  'assistant.example.aboutIn': { channel: string | number; topic: string | number }
  'assistant.example.decided': NoValues
  'assistant.example.decidedIn': { channel: string | number }
  'assistant.example.missed': NoValues
  'assistant.example.missedIn': { channel: string | number }
  'assistant.example.unanswered': NoValues
  'assistant.examples': NoValues
  'audit.aDirectMessage': NoValues
  'audit.aPrivateChannel': NoValues
  'audit.ages.addressDays': NoValues
  'audit.ages.ask': NoValues
  'audit.ages.askText': { addressDays: number; days: number }
  'audit.ages.askTitle': NoValues
  'audit.ages.days': NoValues
  'audit.ages.failed': NoValues
  'audit.ages.hint': NoValues
  'audit.ages.loadFailed': NoValues
  'audit.did.accountDeleted': NoValues
  'audit.did.ages': { actor: string | number; addressDays: number; days: number }
  'audit.did.auditDownloaded': { actor: string | number }
  'audit.did.backupMade': NoValues
  'audit.did.backupRestored': { name: string | number }
  'audit.did.channelArchived': { actor: string | number; channel: string | number }
  'audit.did.channelCreated': { actor: string | number; channel: string | number }
  'audit.did.channelDeleted': { actor: string | number; channel: string | number }
  'audit.did.channelMadePrivate': { actor: string | number; channel: string | number }
  'audit.did.channelMadePublic': { actor: string | number; channel: string | number }
  'audit.did.channelRenamed': { actor: string | number; channel: string | number; from: string | number }
  'audit.did.channelRenamedHidden': { actor: string | number; channel: string | number }
  'audit.did.channelRestored': { actor: string | number; channel: string | number }
  'audit.did.channelRules': { actor: string | number; channel: string | number }
  'audit.did.channelTransferred': { actor: string | number; channel: string | number; person: string | number }
  'audit.did.deactivated': { actor: string | number; person: string | number }
  'audit.did.demoEmptied': { actor: string | number }
  'audit.did.demoFilled': { actor: string | number }
  'audit.did.editHistoryOff': { actor: string | number }
  'audit.did.editHistoryOn': { actor: string | number }
  'audit.did.emailChanged': { actor: string | number }
  'audit.did.emojiAdded': { actor: string | number; emoji: string | number }
  'audit.did.emojiRemoved': { actor: string | number; emoji: string | number }
  'audit.did.expired': { actor: string | number; channel: string | number; files: number; messages: number }
  'audit.did.exportDeleted': { actor: string | number }
  'audit.did.exportDownloaded': { actor: string | number }
  'audit.did.exportStarted': { actor: string | number }
  'audit.did.exportStartedChannel': { actor: string | number; channel: string | number }
  'audit.did.exportStartedWorkspace': { actor: string | number }
  'audit.did.fileDeleted': { actor: string | number; channel: string | number; person: string | number }
  'audit.did.groupChanged': { actor: string | number; group: string | number }
  'audit.did.groupCreated': { actor: string | number; group: string | number }
  'audit.did.groupDeleted': { actor: string | number; group: string | number }
  'audit.did.groupProvided': { group: string | number; token: string | number }
  'audit.did.guestEnd': { actor: string | number; days: number; person: string | number }
  'audit.did.handedOver': { actor: string | number; person: string | number }
  'audit.did.handoverDeclined': { actor: string | number; person: string | number }
  'audit.did.handoverOffered': { actor: string | number; person: string | number }
  'audit.did.handoverWithdrawn': { actor: string | number; person: string | number }
  'audit.did.heldChannel': { actor: string | number; channel: string | number }
  'audit.did.heldPerson': { actor: string | number; person: string | number }
  'audit.did.importAccepted': { actor: string | number }
  'audit.did.importCancelled': { actor: string | number }
  'audit.did.importFinished': { actor: string | number; count: number }
  'audit.did.importRetried': { actor: string | number }
  'audit.did.importStarted': { actor: string | number }
  'audit.did.importUndone': { actor: string | number }
  'audit.did.inviteCreated': { actor: string | number; count: number }
  'audit.did.inviteRevoked': { actor: string | number; person: string | number }
  'audit.did.joined': { actor: string | number }
  'audit.did.joinedByInvite': { actor: string | number; person: string | number }
  'audit.did.liftedChannel': { actor: string | number; channel: string | number }
  'audit.did.liftedPerson': { actor: string | number; person: string | number }
  'audit.did.linkPreviewsOff': { actor: string | number }
  'audit.did.linkPreviewsOn': { actor: string | number }
  'audit.did.memberAdded': { actor: string | number; channel: string | number; person: string | number }
  'audit.did.memberRemoved': { actor: string | number; channel: string | number; person: string | number }
  'audit.did.messageDeleted': { actor: string | number; channel: string | number; person: string | number }
  'audit.did.notificationLevelChanged': { actor: string | number; from: string | number; to: string | number }
  'audit.did.passkeyAdded': { actor: string | number }
  'audit.did.passkeyRemoved': { actor: string | number }
  'audit.did.passwordChanged': { actor: string | number }
  'audit.did.passwordLinkCreated': { actor: string | number; person: string | number }
  'audit.did.passwordLinkMailed': { person: string | number }
  'audit.did.passwordReset': { actor: string | number }
  'audit.did.permission': { actor: string | number; permission: string | number; role: string | number }
  'audit.did.personClaimed': { actor: string | number }
  'audit.did.personMuted': { actor: string | number; hours: number; person: string | number }
  'audit.did.personProvided': { person: string | number; token: string | number }
  'audit.did.personUnmuted': { actor: string | number; person: string | number }
  'audit.did.posterAdded': { actor: string | number; channel: string | number; person: string | number }
  'audit.did.posterRemoved': { actor: string | number; channel: string | number; person: string | number }
  'audit.did.privateHidden': { actor: string | number }
  'audit.did.privateListed': { actor: string | number }
  'audit.did.profileFields': { actor: string | number }
  'audit.did.providerSignedOut': { count: number; person: string | number }
  'audit.did.reactivated': { actor: string | number; person: string | number }
  'audit.did.recoveryCodesRenewed': { actor: string | number }
  'audit.did.recoveryLinkCreated': { actor: string | number; person: string | number }
  'audit.did.reportDismissed': { actor: string | number; person: string | number }
  'audit.did.retentionOff': { actor: string | number }
  'audit.did.retentionOffIn': { actor: string | number; channel: string | number }
  'audit.did.retentionSet': { actor: string | number; days: number }
  'audit.did.retentionSetIn': { actor: string | number; channel: string | number; days: number }
  'audit.did.roleChanged': { actor: string | number; from: string | number; person: string | number; to: string | number }
  'audit.did.rolledBack': { name: string | number }
  'audit.did.secondFactorAnnounced': { actor: string | number; days: number }
  'audit.did.secondFactorDemanded': { actor: string | number }
  'audit.did.secondFactorOptional': { actor: string | number }
  'audit.did.sessionsEnded': { actor: string | number; count: number }
  'audit.did.signInRefused': { person: string | number }
  'audit.did.signInRefusedUnknown': NoValues
  'audit.did.signUpChanged': { actor: string | number; from: string | number; to: string | number }
  'audit.did.signedIn': { actor: string | number }
  'audit.did.signedInByPasskey': { actor: string | number }
  'audit.did.signedInByRecovery': { actor: string | number }
  'audit.did.tokenCreated': { actor: string | number; token: string | number }
  'audit.did.tokenRevoked': { actor: string | number; token: string | number }
  'audit.did.twoFactorOff': { actor: string | number }
  'audit.did.twoFactorOn': { actor: string | number }
  'audit.did.twoFactorRemoved': { actor: string | number; person: string | number }
  'audit.did.workspaceRenamed': { actor: string | number; from: string | number; to: string | number }
  'audit.loadFailed': NoValues
  'audit.more': NoValues
  'audit.none': NoValues
  'audit.onlyPerson': { name: string | number }
  'audit.parley': NoValues
  'audit.period.any': NoValues
  'audit.period.day': NoValues
  'audit.period.month': NoValues
  'audit.period.title': NoValues
  'audit.period.week': NoValues
  'audit.refresh': NoValues
  'audit.removePerson': { name: string | number }
  'audit.roleMember': NoValues
  'audit.saveCsv': NoValues
  'audit.saveJsonl': NoValues
  'audit.search': NoValues
  'audit.title': NoValues
  'audit.topic.access': NoValues
  'audit.topic.all': NoValues
  'audit.topic.channels': NoValues
  'audit.topic.content': NoValues
  'audit.topic.data': NoValues
  'audit.topic.people': NoValues
  'audit.topic.retention': NoValues
  'audit.topic.title': NoValues
  'channels.addFavorite': NoValues
  'channels.addFavoriteFailed': NoValues
  'channels.addTopic': NoValues
  'channels.archive.archive': NoValues
  'channels.archive.done': { name: string | number }
  'channels.archive.failed': NoValues
  'channels.archive.question': { b: Tag; name: string | number }
  'channels.archive.restore': NoValues
  'channels.archive.restoreFailed': NoValues
  'channels.archive.restoreQuestion': { b: Tag; name: string | number }
  'channels.archive.restoreTitle': NoValues
  'channels.archive.restored': { name: string | number }
  'channels.archive.title': NoValues
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
  'channels.goBack': NoValues
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
  'channels.list.archived': NoValues
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
  'channels.posters.allow': { name: string | number }
  'channels.posters.failed': NoValues
  'channels.posters.hint': { count: number }
  'channels.posters.tag': NoValues
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
  'channels.rules.admins': NoValues
  'channels.rules.all': NoValues
  'channels.rules.broadcasting': NoValues
  'channels.rules.linkPreviews': NoValues
  'channels.rules.linkPreviewsHint': NoValues
  'channels.rules.members': NoValues
  'channels.rules.posting': NoValues
  'channels.rules.replies': NoValues
  'channels.rules.repliesHint': NoValues
  'channels.search': NoValues
  'channels.searchMembers': NoValues
  'channels.selectOne': NoValues
  'channels.signedOut': NoValues
  'channels.silent.alone': NoValues
  'channels.silent.archived': NoValues
  'channels.silent.deleted': NoValues
  'channels.silent.muted': { until: string | number }
  'channels.silent.notAllowed': NoValues
  'channels.silent.notPosting': NoValues
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
  'confirmEmail.action': NoValues
  'confirmEmail.continue': NoValues
  'confirmEmail.done': NoValues
  'confirmEmail.doneText': { email: string | number }
  'confirmEmail.ended': NoValues
  'confirmEmail.endedText': NoValues
  'confirmEmail.text': { email: string | number; username: string | number }
  'confirmEmail.textNew': { email: string | number; username: string | number }
  'confirmEmail.title': NoValues
  'connection.givenUp': NoValues
  'connection.givenUpBrief': NoValues
  'connection.lost': NoValues
  'connection.lostBrief': NoValues
  'connection.offline': NoValues
  'connection.offlineBrief': NoValues
  'connection.open': NoValues
  'connection.opening': NoValues
  'connection.reconnect': NoValues
  'demand.ask': NoValues
  'demand.askText': { count: number }
  'demand.askTitle': NoValues
  'demand.bar': { date: string | number }
  'demand.failed': NoValues
  'demand.from': NoValues
  'demand.hint': NoValues
  'demand.inDays': { days: number }
  'demand.label': NoValues
  'demand.laterText': { count: number; days: string | number }
  'demand.loadFailed': NoValues
  'demand.now': NoValues
  'demand.pageText': NoValues
  'demand.pageTitle': NoValues
  'demand.setUp': NoValues
  'demand.startsAt': { date: string | number }
  'demand.title': NoValues
  'demand.without': { count: number }
  'demo.banner': NoValues
  'demo.empty': NoValues
  'demo.emptyFailed': NoValues
  'demo.emptyOwn': { count: number }
  'demo.emptyText': NoValues
  'demo.emptyTitle': NoValues
  'demo.fill': NoValues
  'demo.fillFailed': NoValues
  'demo.fillText': NoValues
  'demo.filling': NoValues
  'drafts.continue': NoValues
  'drafts.fromDeleted': NoValues
  'drafts.loading': NoValues
  'drafts.mark': NoValues
  'drafts.none': NoValues
  'drafts.noneHint': NoValues
  'drafts.notSent': NoValues
  'drafts.notSentYet': NoValues
  'drafts.shown': NoValues
  'drafts.title': NoValues
  'editHistoryRule.hint': NoValues
  'editHistoryRule.label': NoValues
  'editHistoryRule.saveFailed': NoValues
  'editHistoryRule.title': NoValues
  'email.address': NoValues
  'email.bar': { email: string | number }
  'email.barTitle': NoValues
  'email.cancel': NoValues
  'email.cancelFailed': NoValues
  'email.change': NoValues
  'email.changeFailed': NoValues
  'email.confirmed': NoValues
  'email.later': NoValues
  'email.loadFailed': NoValues
  'email.new': NoValues
  'email.noMail': NoValues
  'email.pending': { email: string | number }
  'email.resend': NoValues
  'email.resendFailed': NoValues
  'email.resent': NoValues
  'email.unconfirmed': NoValues
  'emoji.add.button': NoValues
  'emoji.add.change': NoValues
  'emoji.add.choose': NoValues
  'emoji.add.done': { name: string | number }
  'emoji.add.failed': NoValues
  'emoji.add.file': NoValues
  'emoji.add.hint': NoValues
  'emoji.add.name': NoValues
  'emoji.add.open': NoValues
  'emoji.alias.add': NoValues
  'emoji.alias.failed': NoValues
  'emoji.alias.title': { name: string | number }
  'emoji.category.activity': NoValues
  'emoji.category.flags': NoValues
  'emoji.category.foods': NoValues
  'emoji.category.frequent': NoValues
  'emoji.category.nature': NoValues
  'emoji.category.objects': NoValues
  'emoji.category.people': NoValues
  'emoji.category.places': NoValues
  'emoji.category.symbols': NoValues
  'emoji.category.workspace': NoValues
  'emoji.manage.by': { name: string | number }
  'emoji.manage.loadFailed': NoValues
  'emoji.manage.none': NoValues
  'emoji.manage.noneVisitor': NoValues
  'emoji.manage.open': NoValues
  'emoji.manage.title': NoValues
  'emoji.noneFound': NoValues
  'emoji.noneFoundHint': NoValues
  'emoji.pick': NoValues
  'emoji.remove.failed': NoValues
  'emoji.remove.named': { name: string | number }
  'emoji.remove.text': { name: string | number }
  'emoji.remove.title': NoValues
  'emoji.search': NoValues
  'emoji.searchResults': NoValues
  'emoji.skin.choose': NoValues
  'emoji.skin.dark': NoValues
  'emoji.skin.default': NoValues
  'emoji.skin.light': NoValues
  'emoji.skin.medium': NoValues
  'emoji.skin.mediumDark': NoValues
  'emoji.skin.mediumLight': NoValues
  'errors.accountProvided': NoValues
  'errors.addressesOutliveLines': NoValues
  'errors.alreadyHeld': NoValues
  'errors.archived': NoValues
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
  'errors.demoBusy': NoValues
  'errors.demoNotNew': NoValues
  'errors.demoOnHold': NoValues
  'errors.diskFull': NoValues
  'errors.editConflict': NoValues
  'errors.emailIsYours': { field: string | number }
  'errors.emailOfProvider': NoValues
  'errors.emojiNameStandard': NoValues
  'errors.emojiNameTaken': NoValues
  'errors.emojiNotFound': NoValues
  'errors.empty': { field: string | number }
  'errors.emptyMessage': NoValues
  'errors.exportChannel': { field: string | number }
  'errors.exportNotFound': NoValues
  'errors.exportRunning': NoValues
  'errors.field.content': NoValues
  'errors.field.email': NoValues
  'errors.field.emoji': NoValues
  'errors.field.file': NoValues
  'errors.field.members': NoValues
  'errors.field.name': NoValues
  'errors.field.topic': NoValues
  'errors.field.username': NoValues
  'errors.fileAttached': NoValues
  'errors.fileNotFound': NoValues
  'errors.fileScheduled': NoValues
  'errors.fileTooLarge': { max: number }
  'errors.forbidden': NoValues
  'errors.freshSignInNeeded': NoValues
  'errors.generalNotArchived': NoValues
  'errors.generalStays': NoValues
  'errors.groupCycle': NoValues
  'errors.groupManaged': NoValues
  'errors.groupNotFound': NoValues
  'errors.groupTooDeep': { max: number }
  'errors.guestEnded': NoValues
  'errors.handoverEnded': NoValues
  'errors.handoverOpen': NoValues
  'errors.holdNotFound': NoValues
  'errors.holdOne': { field: string | number }
  'errors.importNotFound': NoValues
  'errors.importOpen': NoValues
  'errors.importState': NoValues
  'errors.importStopped': NoValues
  'errors.importedEmail': NoValues
  'errors.inAnotherChannel': { field: string | number }
  'errors.internal': NoValues
  'errors.invalidHost': NoValues
  'errors.invalidInput': { field: string | number }
  'errors.invisibleCharacters': { field: string | number }
  'errors.inviteAddress': NoValues
  'errors.inviteEnded': NoValues
  'errors.inviteNeeded': NoValues
  'errors.inviteNotFound': NoValues
  'errors.isYou': { field: string | number }
  'errors.keepsNothing': { field: string | number }
  'errors.keywordsFull': NoValues
  'errors.laterNotFound': NoValues
  'errors.laterOne': { field: string | number }
  'errors.linkPreviewsFixed': NoValues
  'errors.looksTaken': { field: string | number }
  'errors.mailLinkEnded': NoValues
  'errors.malformed': { detail: string | number }
  'errors.malformedForm': NoValues
  'errors.mayNotMentionChannel': NoValues
  'errors.mayNotPost': NoValues
  'errors.mayNotPostHere': NoValues
  'errors.memberNotFound': NoValues
  'errors.messageDeleted': NoValues
  'errors.messageNotFound': NoValues
  'errors.messageNotStored': NoValues
  'errors.methodNotAllowed': { methods: string | number }
  'errors.movesTooLong': NoValues
  'errors.mustBeActiveMember': { field: string | number }
  'errors.mustBeOnlyFile': { field: string | number }
  'errors.mustNameFewerOthers': { field: string | number; max: number }
  'errors.mustNameSomeone': { field: string | number }
  'errors.mustNameSomeoneElse': { field: string | number }
  'errors.muted': NoValues
  'errors.nameReserved': NoValues
  'errors.nameTooLong': { max: number }
  'errors.namesElsewhere': NoValues
  'errors.newOwnerNotMember': NoValues
  'errors.noEditHistory': NoValues
  'errors.noMail': NoValues
  'errors.noPassword': NoValues
  'errors.noPasswordToReset': NoValues
  'errors.noPushSubscription': NoValues
  'errors.noSpeech': NoValues
  'errors.noSuchEmoji': NoValues
  'errors.noSuchFile': NoValues
  'errors.noTopics': NoValues
  'errors.nobodyLeaves': NoValues
  'errors.nobodyToClaim': NoValues
  'errors.notACursor': { field: string | number }
  'errors.notADay': { field: string | number }
  'errors.notAKind': NoValues
  'errors.notALanguage': { field: string | number }
  'errors.notAMember': NoValues
  'errors.notANumber': { field: string | number }
  'errors.notAParent': NoValues
  'errors.notAPicture': { field: string | number }
  'errors.notAPushEndpoint': NoValues
  'errors.notAPushKey': NoValues
  'errors.notATimeOfDay': { field: string | number }
  'errors.notATimeZone': { field: string | number }
  'errors.notAUsername': { field: string | number; max: number; min: number }
  'errors.notAWholeNumber': { field: string | number }
  'errors.notAnAddress': { field: string | number }
  'errors.notAnEmojiName': { field: string | number }
  'errors.notAnEnd': { field: string | number }
  'errors.notAnId': { field: string | number }
  'errors.notArchived': NoValues
  'errors.notBlockable': NoValues
  'errors.notDelivered': NoValues
  'errors.notOneEmoji': { field: string | number }
  'errors.notOneOf': { field: string | number; options: string | number }
  'errors.notWeekdays': { field: string | number }
  'errors.notYourUsername': NoValues
  'errors.nothingToSay': NoValues
  'errors.onlyYou': NoValues
  'errors.otherPushKey': NoValues
  'errors.ownerCannotLeave': NoValues
  'errors.ownerHandsOver': NoValues
  'errors.ownerLinkNeeded': NoValues
  'errors.ownerNotRemovable': NoValues
  'errors.pageNotFound': NoValues
  'errors.passkeyNotFound': NoValues
  'errors.passkeyRefused': NoValues
  'errors.passkeySetupEnded': NoValues
  'errors.passwordLinkEnded': NoValues
  'errors.providerAway': { provider: string | number }
  'errors.providerOnly': { provider: string | number }
  'errors.pushOff': NoValues
  'errors.quotaExceeded': NoValues
  'errors.rateLimited': NoValues
  'errors.repeatedFile': { field: string | number }
  'errors.reportNotFound': NoValues
  'errors.requestTooLarge': NoValues
  'errors.required': { field: string | number }
  'errors.reserved': { field: string | number }
  'errors.scheduledMissed': NoValues
  'errors.scheduledNoMember': NoValues
  'errors.scheduledNotFound': NoValues
  'errors.searchTimedOut': NoValues
  'errors.secondFactorDemanded': NoValues
  'errors.secondFactorFirst': NoValues
  'errors.secondFactorNeeded': NoValues
  'errors.sessionNotFound': NoValues
  'errors.signUpClosed': NoValues
  'errors.signUpFixed': NoValues
  'errors.slackToken': NoValues
  'errors.speechAway': NoValues
  'errors.speechQuota': { count: number }
  'errors.storageAway': NoValues
  'errors.storageFull': NoValues
  'errors.taken': { field: string | number }
  'errors.theyAreMember': NoValues
  'errors.threadNotFound': NoValues
  'errors.thumbnailNotFound': NoValues
  'errors.tokenNotFound': NoValues
  'errors.tooLong': { field: string | number; max: number }
  'errors.tooManyAddresses': { field: string | number; max: number }
  'errors.tooManyAttempts': NoValues
  'errors.tooManyChannels': { field: string | number; max: number }
  'errors.tooManyChannelsHeld': { field: string | number; max: number }
  'errors.tooManyEmoji': { max: number }
  'errors.tooManyEmojiNames': { max: number }
  'errors.tooManyFields': { field: string | number; max: number }
  'errors.tooManyFiles': { field: string | number; max: number }
  'errors.tooManyFirstMembers': { field: string | number; max: number }
  'errors.tooManyGroups': { max: number }
  'errors.tooManyInGroup': { max: number }
  'errors.tooManyInviteMails': NoValues
  'errors.tooManyInvites': { max: number }
  'errors.tooManyKeywords': { max: number }
  'errors.tooManyLater': { max: number }
  'errors.tooManyMails': NoValues
  'errors.tooManyNewChannels': NoValues
  'errors.tooManyNewConversations': NoValues
  'errors.tooManyOpenChannels': NoValues
  'errors.tooManyPasskeys': NoValues
  'errors.tooManyPeople': { max: number }
  'errors.tooManyPins': { max: number }
  'errors.tooManyPosters': { max: number }
  'errors.tooManyReactions': { max: number }
  'errors.tooManyReports': NoValues
  'errors.tooManyScheduled': { max: number }
  'errors.tooManySearches': NoValues
  'errors.tooManyTabs': NoValues
  'errors.tooManyThreads': { field: string | number; max: number }
  'errors.tooManyTokens': { max: number }
  'errors.tooManyTopics': NoValues
  'errors.tooManyUploads': NoValues
  'errors.tooShort': { field: string | number; min: string | number }
  'errors.twoFactorNotSetUp': NoValues
  'errors.twoFactorOff': NoValues
  'errors.twoFactorOn': NoValues
  'errors.unauthenticated': NoValues
  'errors.unreachable': NoValues
  'errors.unstorable': { field: string | number }
  'errors.uploadInterrupted': NoValues
  'errors.uploadStalled': NoValues
  'errors.userNotFound': NoValues
  'errors.usernameLooksTaken': NoValues
  'errors.usernameRequired': NoValues
  'errors.usernameTaken': NoValues
  'errors.wrongCode': NoValues
  'errors.wrongPassword': NoValues
  'errors.youAreMember': NoValues
  'exports.aChannel': NoValues
  'exports.cancel': NoValues
  'exports.delete': NoValues
  'exports.done': { count: number; size: string | number }
  'exports.download': NoValues
  'exports.everything': NoValues
  'exports.failed': NoValues
  'exports.gaveUp': NoValues
  'exports.kept': { count: number; hours: number }
  'exports.loadFailed': NoValues
  'exports.mine': NoValues
  'exports.mineHint': NoValues
  'exports.progress': { done: string | number; total: string | number }
  'exports.progressLabel': NoValues
  'exports.ready': { name: string | number }
  'exports.section': NoValues
  'exports.start': NoValues
  'exports.title': NoValues
  'exports.what': NoValues
  'exports.workspaceHint': NoValues
  'failures.because': { what: string | number; why: string | number }
  'failures.noConnection': NoValues
  'failures.sentence': { text: string | number }
  'failures.upload': NoValues
  'failures.uploadBecause': { why: string | number }
  'failures.uploadNoBucket': NoValues
  'failures.uploadSignedOut': NoValues
  'fields.add': NoValues
  'fields.down': { name: string | number }
  'fields.hint': NoValues
  'fields.loadFailed': NoValues
  'fields.name': { number: number }
  'fields.none': NoValues
  'fields.remove': { name: string | number }
  'fields.saveFailed': NoValues
  'fields.section': NoValues
  'fields.title': NoValues
  'fields.up': { name: string | number }
  'files.downloadFile': NoValues
  'files.downloadNamed': { name: string | number }
  'files.drop.choose': NoValues
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
  'forgot.action': NoValues
  'forgot.noMail': NoValues
  'forgot.sent': { email: string | number }
  'forgot.sentTitle': NoValues
  'forgot.text': NoValues
  'forgot.title': NoValues
  'groups.add': NoValues
  'groups.addGroup': NoValues
  'groups.count': { count: number }
  'groups.delete': NoValues
  'groups.deleteFailed': NoValues
  'groups.deleteNamed': { name: string | number }
  'groups.deleteText': { name: string | number }
  'groups.edit': NoValues
  'groups.editNamed': { name: string | number }
  'groups.hint': NoValues
  'groups.inviteFailed': NoValues
  'groups.loadFailed': NoValues
  'groups.managed': NoValues
  'groups.name': NoValues
  'groups.new': NoValues
  'groups.none': NoValues
  'groups.parts': NoValues
  'groups.people': NoValues
  'groups.saveFailed': NoValues
  'groups.title': NoValues
  'groups.username': NoValues
  'groups.usernameHint': { max: number; min: number }
  'handover.accept': NoValues
  'handover.acceptText': { name: string | number }
  'handover.acceptTitle': NoValues
  'handover.action': NoValues
  'handover.ask': NoValues
  'handover.asked': { name: string | number }
  'handover.decline': NoValues
  'handover.failed': NoValues
  'handover.open': { date: string | number; name: string | number }
  'handover.text': { name: string | number }
  'handover.title': NoValues
  'handover.withdraw': NoValues
  'health.allHeard': { count: number }
  'health.attention': NoValues
  'health.backedUp': { date: string | number }
  'health.backups': NoValues
  'health.busDatabase': NoValues
  'health.busRedis': NoValues
  'health.certificate': NoValues
  'health.certificateAutomatic': NoValues
  'health.certificateFailed': { error: string | number; time: string | number }
  'health.certificateFiles': { variable: string | number }
  'health.certificateText': { date: string | number; names: string | number }
  'health.database': NoValues
  'health.databaseText': { size: string | number; version: string | number }
  'health.files': NoValues
  'health.filesBucket': { count: number; size: string | number }
  'health.filesDisk': { count: number; size: string | number }
  'health.loadFailed': NoValues
  'health.mail': NoValues
  'health.mailSaid': { error: string | number }
  'health.mailText': { failed: number; waiting: number }
  'health.neverBackedUp': NoValues
  'health.noCertificate': { names: string | number }
  'health.noMail': { variable: string | number }
  'health.noSchedule': { variable: string | number }
  'health.nodes': NoValues
  'health.oneNode': NoValues
  'health.section': NoValues
  'health.title': NoValues
  'health.unheard': { count: number; heard: number; others: number }
  'health.version': NoValues
  'health.versionText': { date: string | number; version: string | number }
  'health.well': NoValues
  'identity.accounts.admin': NoValues
  'identity.accounts.deactivate': NoValues
  'identity.accounts.deactivateFailed': { name: string | number }
  'identity.accounts.deactivateText': { name: string | number }
  'identity.accounts.deactivateTitle': NoValues
  'identity.accounts.deactivated': NoValues
  'identity.accounts.guest': NoValues
  'identity.accounts.loadFailed': NoValues
  'identity.accounts.makeAdmin': NoValues
  'identity.accounts.makeAdminFailed': { name: string | number }
  'identity.accounts.makeAdminText': { name: string | number }
  'identity.accounts.makeAdminTitle': NoValues
  'identity.accounts.makeMember': NoValues
  'identity.accounts.makeMemberFailed': { name: string | number }
  'identity.accounts.makeMemberText': { name: string | number }
  'identity.accounts.makeMemberTitle': NoValues
  'identity.accounts.muted': NoValues
  'identity.accounts.none': NoValues
  'identity.accounts.owner': NoValues
  'identity.accounts.passwordLink': NoValues
  'identity.accounts.reactivate': NoValues
  'identity.accounts.reactivateFailed': { name: string | number }
  'identity.accounts.reactivateText': { name: string | number }
  'identity.accounts.reactivateTitle': NoValues
  'identity.accounts.removeAdmin': NoValues
  'identity.accounts.removeAdminFailed': { name: string | number }
  'identity.accounts.removeAdminText': { name: string | number }
  'identity.accounts.removeAdminTitle': NoValues
  'identity.accounts.search': NoValues
  'identity.accounts.title': NoValues
  'identity.accounts.until': { date: string | number }
  'identity.confirm.password': NoValues
  'identity.deletion.action': NoValues
  'identity.deletion.dialogTitle': NoValues
  'identity.deletion.directory': NoValues
  'identity.deletion.done': NoValues
  'identity.deletion.drafts': NoValues
  'identity.deletion.erased': NoValues
  'identity.deletion.failed': NoValues
  'identity.deletion.forever': NoValues
  'identity.deletion.left': NoValues
  'identity.deletion.owner': NoValues
  'identity.deletion.provider': NoValues
  'identity.deletion.stays': { name: string | number }
  'identity.deletion.text': NoValues
  'identity.deletion.title': NoValues
  'identity.deletion.unclear': NoValues
  'identity.deletion.username': { username: string | number }
  'identity.devices.active': { time: string | number }
  'identity.devices.activeNow': NoValues
  'identity.devices.browserOn': { browser: string | number; system: string | number }
  'identity.devices.current': NoValues
  'identity.devices.loadFailed': NoValues
  'identity.devices.new': NoValues
  'identity.devices.newHint': NoValues
  'identity.devices.signOut': NoValues
  'identity.devices.signOutDevice': { device: string | number; time: string | number }
  'identity.devices.signOutFailed': NoValues
  'identity.devices.signOutOthers': NoValues
  'identity.devices.title': NoValues
  'identity.devices.unknown': NoValues
  'identity.devices.unknownApp': NoValues
  'identity.extend.action': NoValues
  'identity.extend.text': { name: string | number }
  'identity.extend.title': NoValues
  'identity.guests.channels': NoValues
  'identity.guests.days': NoValues
  'identity.guests.hint': NoValues
  'identity.guests.line': { channels: string | number; date: string | number }
  'identity.guests.newLink': { days: string | number; people: string | number }
  'identity.guests.people': NoValues
  'identity.guests.title': NoValues
  'identity.invites.addresses': NoValues
  'identity.invites.addressesHint': { max: number }
  'identity.invites.byMail': NoValues
  'identity.invites.copyBlocked': NoValues
  'identity.invites.copyNow': NoValues
  'identity.invites.create': NoValues
  'identity.invites.createFailed': NoValues
  'identity.invites.days': NoValues
  'identity.invites.line': { date: string | number; max: number; name: string | number; soft: Tag; uses: number }
  'identity.invites.link': NoValues
  'identity.invites.list': NoValues
  'identity.invites.loadFailed': NoValues
  'identity.invites.localOnly': NoValues
  'identity.invites.mailHidden': NoValues
  'identity.invites.mailLine': { b: Tag; date: string | number; email: string | number; expires: string | number; name: string | number; soft: Tag; state: (string & {}) | 'refused' | 'waiting' }
  'identity.invites.newLink': { days: string | number; people: string | number }
  'identity.invites.notAnAddress': { text: string | number }
  'identity.invites.people': NoValues
  'identity.invites.resend': NoValues
  'identity.invites.resendFailed': NoValues
  'identity.invites.revoke': NoValues
  'identity.invites.revokeFailed': NoValues
  'identity.invites.revokeLabel': NoValues
  'identity.invites.send': NoValues
  'identity.invites.sendFailed': NoValues
  'identity.invites.sent': { count: number }
  'identity.invites.title': NoValues
  'identity.invites.tooMany': { max: number }
  'identity.keep.hint': NoValues
  'identity.keep.title': NoValues
  'identity.leaver.countFailed': NoValues
  'identity.leaver.delete': NoValues
  'identity.leaver.deleteHint': { leftover: number }
  'identity.leaver.handOver': NoValues
  'identity.leaver.handOverHint': NoValues
  'identity.leaver.keep': NoValues
  'identity.leaver.keepHint': NoValues
  'identity.leaver.owned': { owned: number }
  'identity.mute.action': NoValues
  'identity.mute.text': { name: string | number }
  'identity.mute.title': NoValues
  'identity.password.change': NoValues
  'identity.password.changeFailed': NoValues
  'identity.password.changed': NoValues
  'identity.password.changedOnly': NoValues
  'identity.password.current': NoValues
  'identity.password.loadFailed': NoValues
  'identity.password.new': NoValues
  'identity.password.others': NoValues
  'identity.passwordLink.create': NoValues
  'identity.passwordLink.failed': NoValues
  'identity.passwordLink.label': NoValues
  'identity.passwordLink.secondFactor': NoValues
  'identity.passwordLink.secondFactorHint': NoValues
  'identity.passwordLink.text': { name: string | number }
  'identity.passwordLink.title': NoValues
  'identity.signOut.button': NoValues
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
  'identity.time.days': { days: number }
  'identity.time.failed': NoValues
  'identity.time.hours': { hours: number }
  'identity.time.label': NoValues
  'identity.unmute.action': NoValues
  'identity.unmute.failed': { name: string | number }
  'identity.unmute.text': { name: string | number }
  'identity.unmute.title': NoValues
  'identity.workspace': NoValues
  'imports.accountOf': { name: string | number }
  'imports.actFailed': NoValues
  'imports.archived': { count: number }
  'imports.bots': { count: number }
  'imports.cancel': NoValues
  'imports.channelKinds': { private: number; public: number }
  'imports.channels': NoValues
  'imports.choose': NoValues
  'imports.copied': NoValues
  'imports.copyLink': NoValues
  'imports.copyLinkOf': { name: string | number }
  'imports.direct': NoValues
  'imports.done': NoValues
  'imports.doneHint': NoValues
  'imports.drop': NoValues
  'imports.dropHint': NoValues
  'imports.earlier': NoValues
  'imports.emoji': { count: number }
  'imports.expiring': { count: number }
  'imports.failed': NoValues
  'imports.files': NoValues
  'imports.hint': NoValues
  'imports.keep': NoValues
  'imports.knownChannels': { count: number }
  'imports.leftOutTitle': NoValues
  'imports.loadFailed': NoValues
  'imports.matchHint': NoValues
  'imports.matchTitle': NoValues
  'imports.messages': NoValues
  'imports.newAccount': NoValues
  'imports.newName': { name: string | number }
  'imports.notFetched': { count: number }
  'imports.notFetchedMore': { count: number }
  'imports.nothingOmitted': NoValues
  'imports.omitted.bookmarks': NoValues
  'imports.omitted.calls': NoValues
  'imports.omitted.customEmoji': NoValues
  'imports.omitted.damagedLine': NoValues
  'imports.omitted.externalFile': NoValues
  'imports.omitted.missingFile': NoValues
  'imports.omitted.pins': NoValues
  'imports.omitted.refusedEmoji': NoValues
  'imports.omitted.systemMessage': NoValues
  'imports.omitted.takenEmoji': NoValues
  'imports.omitted.tooLargeFile': NoValues
  'imports.omitted.tooLongMessage': NoValues
  'imports.omitted.tooManyReactions': NoValues
  'imports.omitted.unknownFile': NoValues
  'imports.omitted.unknownMessage': NoValues
  'imports.omitted.unknownPerson': NoValues
  'imports.omittedTitle': NoValues
  'imports.onServer': NoValues
  'imports.people': NoValues
  'imports.peopleHave': { count: number }
  'imports.pinned': { count: number }
  'imports.problem.damaged': NoValues
  'imports.problem.duplicateName': NoValues
  'imports.problem.encrypted': NoValues
  'imports.problem.filesRefused': NoValues
  'imports.problem.filesUnreachable': NoValues
  'imports.problem.newerVersion': NoValues
  'imports.problem.notAnArchive': NoValues
  'imports.problem.recordTooLarge': NoValues
  'imports.problem.tooLarge': NoValues
  'imports.problem.tooManyChannels': NoValues
  'imports.problem.tooManyEmoji': NoValues
  'imports.problem.tooManyEntries': NoValues
  'imports.problem.tooManyMembers': NoValues
  'imports.problem.tooManyPeople': NoValues
  'imports.problem.unknownFormat': NoValues
  'imports.problem.unsafeName': NoValues
  'imports.progress': { done: string | number; total: string | number }
  'imports.progressLabel': NoValues
  'imports.reactions': NoValues
  'imports.readSoFar': { count: number }
  'imports.reading': NoValues
  'imports.ready': NoValues
  'imports.remove': NoValues
  'imports.renamedHint': NoValues
  'imports.renamedTitle': NoValues
  'imports.replies': { count: number }
  'imports.retry': NoValues
  'imports.running': NoValues
  'imports.runningHint': NoValues
  'imports.section': NoValues
  'imports.showAll': { count: number }
  'imports.slack.fetch': NoValues
  'imports.slack.left': { count: number }
  'imports.slack.linked': { count: number; size: string | number }
  'imports.slack.noneLinked': NoValues
  'imports.slack.skip': NoValues
  'imports.slack.title': NoValues
  'imports.slack.token': NoValues
  'imports.slack.tokenHint': NoValues
  'imports.slack.without': NoValues
  'imports.span': { first: string | number; last: string | number }
  'imports.start': NoValues
  'imports.state.accepted': NoValues
  'imports.state.cancelled': NoValues
  'imports.state.undone': NoValues
  'imports.topics.again': NoValues
  'imports.topics.become': NoValues
  'imports.topics.channels': NoValues
  'imports.topics.hint': { count: number }
  'imports.topics.threads': NoValues
  'imports.topics.title': NoValues
  'imports.topics.tooMany': { count: number; max: number }
  'imports.unclaimedHint': { days: number }
  'imports.unclaimedTitle': NoValues
  'imports.undo': NoValues
  'imports.undoCounting': NoValues
  'imports.undoLosesNothing': NoValues
  'imports.undoLosses': { messages: number; reactions: number }
  'imports.undoText': NoValues
  'imports.undoTitle': NoValues
  'imports.undoUncounted': NoValues
  'imports.undoing': NoValues
  'imports.unproven': { email: string | number; username: string | number }
  'imports.uploaded': { percent: string | number }
  'imports.uploading': { name: string | number }
  'installation.hint': NoValues
  'installation.homeScreen': NoValues
  'installation.install': NoValues
  'installation.title': NoValues
  'invite.ended': NoValues
  'invite.endedText': NoValues
  'invite.from': { name: string | number }
  'invite.loadFailed': NoValues
  'invite.title': { workspace: string | number }
  'keys.backspace': NoValues
  'keys.control': NoValues
  'keys.end': NoValues
  'keys.enter': NoValues
  'keys.escape': NoValues
  'keys.pageUp': NoValues
  'keys.shift': NoValues
  'language.afterColon': NoValues
  'language.direction': NoValues
  'language.name': NoValues
  'later.at': { time: string | number }
  'later.done': NoValues
  'later.due': NoValues
  'later.dueCount': { count: number }
  'later.failed': NoValues
  'later.gone': NoValues
  'later.inHours': { hours: number }
  'later.inMinutes': { minutes: number }
  'later.inPast': NoValues
  'later.isDone': NoValues
  'later.isOpen': NoValues
  'later.isSaved': NoValues
  'later.keys.done': NoValues
  'later.loadFailed': NoValues
  'later.loading': NoValues
  'later.markDone': NoValues
  'later.monday': NoValues
  'later.newReminder': NoValues
  'later.noReminder': NoValues
  'later.none': NoValues
  'later.noneDone': NoValues
  'later.noneDoneText': NoValues
  'later.noneText': NoValues
  'later.notice': NoValues
  'later.noticeOf': { name: string | number; place: string | number }
  'later.noticeText': { text: string | number; title: string | number }
  'later.open': NoValues
  'later.ownTime': NoValues
  'later.remind': NoValues
  'later.remove': NoValues
  'later.removed': NoValues
  'later.reopen': NoValues
  'later.saved': NoValues
  'later.setTo': { time: string | number }
  'later.show': NoValues
  'later.shown': NoValues
  'later.text': NoValues
  'later.textHint': NoValues
  'later.textMissing': NoValues
  'later.title': NoValues
  'later.tomorrow': NoValues
  'later.wasDue': { time: string | number }
  'later.when': NoValues
  'linkPreviewRule.fixed': NoValues
  'linkPreviewRule.hint': NoValues
  'linkPreviewRule.label': NoValues
  'linkPreviewRule.loadFailed': NoValues
  'linkPreviewRule.saveFailed': NoValues
  'linkPreviewRule.title': NoValues
  'mail.certificate.action': NoValues
  'mail.certificate.files': NoValues
  'mail.certificate.over': { workspace: string | number }
  'mail.certificate.renewal': { reason: string | number }
  'mail.certificate.subject': { date: string | number; name: string | number }
  'mail.certificate.subjectOver': { date: string | number; name: string | number }
  'mail.certificate.what': { workspace: string | number }
  'mail.certificate.why': { workspace: string | number }
  'mail.change.action': NoValues
  'mail.change.footer': NoValues
  'mail.change.once': NoValues
  'mail.change.subject': NoValues
  'mail.change.taken': { username: string | number }
  'mail.change.text': { username: string | number }
  'mail.changing.notYou': NoValues
  'mail.changing.subject': NoValues
  'mail.changing.text': { email: string | number; username: string | number }
  'mail.confirm.action': NoValues
  'mail.confirm.footer': NoValues
  'mail.confirm.once': NoValues
  'mail.confirm.subject': NoValues
  'mail.confirm.text': { username: string | number }
  'mail.digest.footer': NoValues
  'mail.digest.line': { count: number; place: string | number }
  'mail.digest.more': NoValues
  'mail.digest.subject': { workspace: string | number }
  'mail.digest.text': NoValues
  'mail.export.action': NoValues
  'mail.export.advice': NoValues
  'mail.export.done': { until: string | number }
  'mail.export.failed': NoValues
  'mail.export.open': { workspace: string | number }
  'mail.export.subject': { workspace: string | number }
  'mail.export.subjectFailed': { workspace: string | number }
  'mail.export.where': NoValues
  'mail.export.why': NoValues
  'mail.invite.action': NoValues
  'mail.invite.bound': { email: string | number }
  'mail.invite.footer': NoValues
  'mail.invite.subject': { name: string | number; workspace: string | number }
  'mail.invite.text': { name: string | number; workspace: string | number }
  'mail.missed.direct': { name: string | number }
  'mail.missed.files': { count: number }
  'mail.missed.footer': NoValues
  'mail.missed.group': { name: string | number; place: string | number }
  'mail.missed.keyword': { name: string | number; place: string | number }
  'mail.missed.mention': { name: string | number; place: string | number }
  'mail.missed.more': NoValues
  'mail.missed.open': { workspace: string | number }
  'mail.missed.thread': { name: string | number; place: string | number }
  'mail.newDevice.action': { workspace: string | number }
  'mail.newDevice.advice': NoValues
  'mail.newDevice.subject': { workspace: string | number }
  'mail.newDevice.what': { username: string | number }
  'mail.newDevice.why': NoValues
  'mail.password.action': NoValues
  'mail.password.footer': NoValues
  'mail.password.once': NoValues
  'mail.password.subject': NoValues
  'mail.password.text': { username: string | number }
  'mail.stop': NoValues
  'mailRules.digest': NoValues
  'mailRules.direct': NoValues
  'mailRules.failed': NoValues
  'mailRules.hint': NoValues
  'mailRules.loadFailed': NoValues
  'mailRules.mentions': NoValues
  'mailRules.threads': NoValues
  'mailRules.title': NoValues
  'mailRules.unconfirmed': NoValues
  'managed.all': NoValues
  'managed.archived': NoValues
  'managed.delete': NoValues
  'managed.deleteQuestion': { name: string | number }
  'managed.deleteTitle': NoValues
  'managed.failed': NoValues
  'managed.hint': NoValues
  'managed.line': { date: string | number; members: number; owner: string | number }
  'managed.lineWithoutOwner': { date: string | number; members: number }
  'managed.listPrivate': NoValues
  'managed.listPrivateHint': NoValues
  'managed.loadFailed': NoValues
  'managed.none': NoValues
  'managed.search': NoValues
  'managed.title': NoValues
  'messages.actions.copyLink': NoValues
  'messages.actions.copyPlainText': NoValues
  'messages.actions.copyText': NoValues
  'messages.actions.delete': NoValues
  'messages.actions.edit': NoValues
  'messages.actions.forward': NoValues
  'messages.actions.history': NoValues
  'messages.actions.markUnread': NoValues
  'messages.actions.menu': NoValues
  'messages.actions.more': NoValues
  'messages.actions.pin': NoValues
  'messages.actions.profile': NoValues
  'messages.actions.quote': NoValues
  'messages.actions.react': NoValues
  'messages.actions.reactWith': { emoji: string | number }
  'messages.actions.readAloud': NoValues
  'messages.actions.remind': NoValues
  'messages.actions.reply': NoValues
  'messages.actions.report': NoValues
  'messages.actions.save': NoValues
  'messages.actions.stopReading': NoValues
  'messages.actions.unpin': NoValues
  'messages.actions.unsave': NoValues
  'messages.actions.viewPerson': { name: string | number }
  'messages.audio.elapsed': { elapsed: string | number; total: string | number }
  'messages.audio.failed': NoValues
  'messages.audio.on': { host: string | number }
  'messages.audio.openTab': NoValues
  'messages.audio.openTabHint': NoValues
  'messages.audio.play': NoValues
  'messages.audio.position': NoValues
  'messages.audio.stop': NoValues
  'messages.broadcast.question': { away: number; people: number }
  'messages.broadcast.send': NoValues
  'messages.broadcast.title': NoValues
  'messages.broadcast.uncounted': NoValues
  'messages.code.copy': NoValues
  'messages.code.copyBlocked': NoValues
  'messages.code.label': NoValues
  'messages.composer.alsoHere': NoValues
  'messages.composer.alsoTo': { place: string | number }
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
  'messages.edit.deleted': NoValues
  'messages.edit.discardMine': NoValues
  'messages.edit.discarded': NoValues
  'messages.edit.edited': NoValues
  'messages.edit.editedAt': { time: string | number }
  'messages.edit.empty': NoValues
  'messages.edit.hint': NoValues
  'messages.edit.label': NoValues
  'messages.edit.noFiles': NoValues
  'messages.edit.saveMine': NoValues
  'messages.edit.unsaved': NoValues
  'messages.failed.addReaction': NoValues
  'messages.failed.changeReaction': NoValues
  'messages.failed.delete': NoValues
  'messages.failed.edit': NoValues
  'messages.failed.forward': NoValues
  'messages.failed.load': NoValues
  'messages.failed.loadReactions': NoValues
  'messages.failed.pin': NoValues
  'messages.failed.quote': NoValues
  'messages.failed.removeReaction': NoValues
  'messages.failed.report': NoValues
  'messages.failed.stopAnswer': NoValues
  'messages.failed.unpin': NoValues
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
  'messages.forward.label': NoValues
  'messages.forward.none': NoValues
  'messages.forward.note': NoValues
  'messages.forward.notifiesAll': NoValues
  'messages.forward.readers': { place: string | number }
  'messages.forward.refused': { place: string | number }
  'messages.forward.sent': { to: string | number }
  'messages.forward.show': NoValues
  'messages.forward.title': NoValues
  'messages.forward.to': NoValues
  'messages.history.added': NoValues
  'messages.history.after': NoValues
  'messages.history.before': NoValues
  'messages.history.current': NoValues
  'messages.history.failed': NoValues
  'messages.history.first': NoValues
  'messages.history.noText': NoValues
  'messages.history.notKept': NoValues
  'messages.history.off': NoValues
  'messages.history.removed': NoValues
  'messages.history.restore': NoValues
  'messages.history.restoreFailed': NoValues
  'messages.history.restoreFrom': { time: string | number }
  'messages.history.restored': NoValues
  'messages.keys.close': NoValues
  'messages.keys.delete': NoValues
  'messages.keys.edit': NoValues
  'messages.keys.editLast': NoValues
  'messages.keys.firstUnread': NoValues
  'messages.keys.latest': NoValues
  'messages.keys.newLine': NoValues
  'messages.keys.next': NoValues
  'messages.keys.pin': NoValues
  'messages.keys.previous': NoValues
  'messages.keys.react': NoValues
  'messages.keys.readAloud': NoValues
  'messages.keys.save': NoValues
  'messages.keys.undoSend': NoValues
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
  'messages.outbox.diskFull': NoValues
  'messages.outbox.edit': NoValues
  'messages.outbox.elsewhere': NoValues
  'messages.outbox.held': NoValues
  'messages.outbox.heldHint': NoValues
  'messages.outbox.heldKeys': { keys: string | number }
  'messages.outbox.interrupted': NoValues
  'messages.outbox.keepOpen': { reason: string | number }
  'messages.outbox.notSent': NoValues
  'messages.outbox.offline': NoValues
  'messages.outbox.replyNotSent': NoValues
  'messages.outbox.retry': NoValues
  'messages.outbox.sendNow': NoValues
  'messages.pins.by': { name: string | number }
  'messages.pins.byYou': NoValues
  'messages.pins.close': NoValues
  'messages.pins.failed': NoValues
  'messages.pins.goTo': NoValues
  'messages.pins.goToReply': NoValues
  'messages.pins.none': NoValues
  'messages.pins.noneText': NoValues
  'messages.pins.noneVisitor': NoValues
  'messages.pins.pinned': NoValues
  'messages.pins.title': NoValues
  'messages.pins.unpinned': NoValues
  'messages.previews.picture': { site: string | number }
  'messages.previews.remove': NoValues
  'messages.previews.removeFailed': NoValues
  'messages.previews.removeOf': { title: string | number }
  'messages.previews.removed': NoValues
  'messages.previews.source': { host: string | number; site: string | number }
  'messages.quote.failed': NoValues
  'messages.quote.gone': NoValues
  'messages.quote.inThread': NoValues
  'messages.quote.label': NoValues
  'messages.quote.remove': NoValues
  'messages.quote.removeFrom': { name: string | number }
  'messages.quote.replyLabel': NoValues
  'messages.quote.show': { time: string | number }
  'messages.quote.tooMany': { max: string | number }
  'messages.quote.tray': NoValues
  'messages.reactions.byMe': { emoji: string | number }
  'messages.reactions.byMeToo': { emoji: string | number; people: string | number }
  'messages.reactions.byOthers': { count: number; emoji: string | number; people: string | number }
  'messages.reactions.others': { count: number }
  'messages.reactions.you': NoValues
  'messages.readAloud.failed': NoValues
  'messages.readAloud.nothing': NoValues
  'messages.readAloud.unavailable': NoValues
  'messages.report.done': NoValues
  'messages.row.broken': NoValues
  'messages.row.deleted': NoValues
  'messages.row.fileDeleted': NoValues
  'messages.row.label': { name: string | number; time: string | number }
  'messages.row.stopAnswer': NoValues
  'messages.row.thinking': NoValues
  'messages.suggestions.emoji': NoValues
  'messages.summary.files': { count: number; names: string | number }
  'messages.summary.later': { later: string | number }
  'messages.summary.pinned': { pinnedBy: string | number }
  'messages.summary.previews': { titles: string | number }
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
  'newPassword.action': NoValues
  'newPassword.busy': NoValues
  'newPassword.ended': NoValues
  'newPassword.endedMail': { a: Tag }
  'newPassword.endedText': NoValues
  'newPassword.for': { name: string | number }
  'newPassword.loadFailed': NoValues
  'newPassword.signIn': { a: Tag }
  'newPassword.title': NoValues
  'notifications.blocked': NoValues
  'notifications.chosen': NoValues
  'notifications.inChannels': NoValues
  'notifications.insecure': NoValues
  'notifications.isMuted': NoValues
  'notifications.keywords.add': NoValues
  'notifications.keywords.failed': NoValues
  'notifications.keywords.hint': NoValues
  'notifications.keywords.one': NoValues
  'notifications.keywords.placeholder': NoValues
  'notifications.keywords.removeOne': { word: string | number }
  'notifications.keywords.removed': { word: string | number }
  'notifications.keywords.title': NoValues
  'notifications.keywords.tooLong': { max: number }
  'notifications.level.default': NoValues
  'notifications.level.directHint': NoValues
  'notifications.level.everything': NoValues
  'notifications.level.everythingHint': NoValues
  'notifications.level.mentions': NoValues
  'notifications.level.mentionsHint': NoValues
  'notifications.level.nothing': NoValues
  'notifications.level.nothingHint': NoValues
  'notifications.level.now': { level: string | number }
  'notifications.level.workspace': NoValues
  'notifications.levelFailed': NoValues
  'notifications.levelTitle': NoValues
  'notifications.missing': NoValues
  'notifications.notNow': NoValues
  'notifications.nothingHere': NoValues
  'notifications.nowIn': { level: string | number; place: string | number }
  'notifications.ofPlace': { place: string | number }
  'notifications.ofWorkspace': NoValues
  'notifications.ofWorkspaceHint': NoValues
  'notifications.off': NoValues
  'notifications.offer': NoValues
  'notifications.offerText': NoValues
  'notifications.on': NoValues
  'notifications.onlyMentions': NoValues
  'notifications.reason.everyone': NoValues
  'notifications.reason.everything': NoValues
  'notifications.reason.group': NoValues
  'notifications.reason.keyword': { word: string | number }
  'notifications.reason.mention': NoValues
  'notifications.reason.thread': NoValues
  'notifications.reset': NoValues
  'notifications.resetOf': { place: string | number }
  'notifications.schedule.days': NoValues
  'notifications.schedule.failed': NoValues
  'notifications.schedule.from': NoValues
  'notifications.schedule.hint': NoValues
  'notifications.schedule.nextDay': NoValues
  'notifications.schedule.noDays': NoValues
  'notifications.schedule.noTime': NoValues
  'notifications.schedule.on': NoValues
  'notifications.schedule.to': NoValues
  'notifications.schedule.wholeDay': NoValues
  'notifications.schedule.zoneUnknown': NoValues
  'notifications.titleIn': { name: string | number; place: string | number }
  'notifications.titleInThread': { name: string | number; place: string | number }
  'notifications.titleThread': { name: string | number }
  'notifications.turnOff': NoValues
  'notifications.turnOn': NoValues
  'notifications.unfollow': NoValues
  'ownerLink.loadFailed': NoValues
  'ownerLink.needed': NoValues
  'ownerLink.neededText': NoValues
  'ownerLink.used': NoValues
  'ownerLink.usedText': NoValues
  'ownerLink.wrong': NoValues
  'ownerLink.wrongText': NoValues
  'passkeys.add': NoValues
  'passkeys.added': { date: string | number }
  'passkeys.cancelled': NoValues
  'passkeys.confirmAdd': NoValues
  'passkeys.defaultName': NoValues
  'passkeys.failed': NoValues
  'passkeys.known': NoValues
  'passkeys.loadFailed': NoValues
  'passkeys.nameHint': NoValues
  'passkeys.nameLabel': NoValues
  'passkeys.remove': NoValues
  'passkeys.removeLabel': { name: string | number }
  'passkeys.removeText': { name: string | number }
  'passkeys.removeTitle': NoValues
  'passkeys.rename': NoValues
  'passkeys.renameLabel': { name: string | number }
  'passkeys.save': NoValues
  'passkeys.text': NoValues
  'passkeys.title': NoValues
  'passkeys.unsupported': NoValues
  'passkeys.used': { date: string | number }
  'people.away': NoValues
  'people.block.allow': NoValues
  'people.block.block': NoValues
  'people.block.failed': NoValues
  'people.card.assistant': NoValues
  'people.card.deactivated': NoValues
  'people.card.deleted': NoValues
  'people.card.localTime': NoValues
  'people.card.mention': NoValues
  'people.card.message': NoValues
  'people.card.status': NoValues
  'people.card.statusIs': { status: string | number }
  'people.card.title': NoValues
  'people.card.titleOf': { name: string | number }
  'people.card.until': { time: string | number }
  'people.deletedAccount': NoValues
  'people.field.phone': NoValues
  'people.field.pronouns': NoValues
  'people.field.title': NoValues
  'people.invalidReply': NoValues
  'people.loadFailed': NoValues
  'people.name': NoValues
  'people.none': NoValues
  'people.offline': NoValues
  'people.online': NoValues
  'people.quiet': NoValues
  'people.search': NoValues
  'people.status': { emoji: string | number }
  'people.username': NoValues
  'people.you': NoValues
  'permissions.addEmoji': NoValues
  'permissions.changeFailed': NoValues
  'permissions.createGroups': NoValues
  'permissions.createPrivateChannels': NoValues
  'permissions.createPublicChannels': NoValues
  'permissions.deleteMessages': NoValues
  'permissions.hint': NoValues
  'permissions.inviteToChannels': NoValues
  'permissions.inviteToWorkspace': NoValues
  'permissions.loadFailed': NoValues
  'permissions.mentionChannel': NoValues
  'permissions.no': NoValues
  'permissions.post': NoValues
  'permissions.seeEmails': NoValues
  'permissions.table': NoValues
  'permissions.title': NoValues
  'permissions.upload': NoValues
  'permissions.yes': NoValues
  'provisioning.address': NoValues
  'provisioning.copyBlocked': NoValues
  'provisioning.copyNow': NoValues
  'provisioning.create': NoValues
  'provisioning.failed': NoValues
  'provisioning.hint': NoValues
  'provisioning.loadFailed': NoValues
  'provisioning.name': NoValues
  'provisioning.neverUsed': NoValues
  'provisioning.revoke': NoValues
  'provisioning.revokeLabel': { name: string | number }
  'provisioning.revokeText': NoValues
  'provisioning.revokeTitle': { name: string | number }
  'provisioning.section': NoValues
  'provisioning.title': NoValues
  'provisioning.token': NoValues
  'provisioning.tokens': NoValues
  'provisioning.used': { date: string | number }
  'push.browserFailed': NoValues
  'push.changeFailed': NoValues
  'push.deliveries': NoValues
  'push.devices': NoValues
  'push.dismissed': NoValues
  'push.failingSince': { time: string | number }
  'push.install': NoValues
  'push.invalid': NoValues
  'push.keyword': NoValues
  'push.kindTest': NoValues
  'push.missing': NoValues
  'push.newMessage': NoValues
  'push.off': NoValues
  'push.offHere': NoValues
  'push.offer': NoValues
  'push.on': NoValues
  'push.outcome.active': NoValues
  'push.outcome.delivered': NoValues
  'push.outcome.failed': NoValues
  'push.outcome.gone': NoValues
  'push.outcome.obsolete': NoValues
  'push.outcome.quiet': NoValues
  'push.outcome.read': NoValues
  'push.outcome.refused': NoValues
  'push.read': NoValues
  'push.readFailed': NoValues
  'push.reply': NoValues
  'push.replyFailed': NoValues
  'push.replyKept': NoValues
  'push.replyPlaceholder': NoValues
  'push.rule.direct': NoValues
  'push.saveFailed': NoValues
  'push.showTexts': NoValues
  'push.showTextsHint': NoValues
  'push.since': { date: string | number }
  'push.test': NoValues
  'push.testArrived': NoValues
  'push.testFailed': { why: string | number }
  'push.testNotSent': NoValues
  'push.testNotShown': NoValues
  'push.testRefused': { why: string | number }
  'push.testRenewed': NoValues
  'push.testSending': NoValues
  'push.testText': NoValues
  'push.testTitle': NoValues
  'push.title': NoValues
  'push.turnOff': NoValues
  'push.turnOn': NoValues
  'push.withoutText': NoValues
  'readAll.both': { conversations: number; threads: number }
  'readAll.conversations': { count: number }
  'readAll.failed': NoValues
  'readAll.nothing': NoValues
  'readAll.threads': { count: number }
  'readAll.undoFailed': NoValues
  'reports.closeFailed': NoValues
  'reports.delete': NoValues
  'reports.dismiss': NoValues
  'reports.elsewhere': NoValues
  'reports.hint': NoValues
  'reports.line': { author: string | number; date: string | number; reporter: string | number }
  'reports.loadFailed': NoValues
  'reports.none': NoValues
  'reports.onlyFiles': NoValues
  'reports.open': NoValues
  'reports.reason': { reason: string | number }
  'reports.show': NoValues
  'reports.title': NoValues
  'retention.aChannel': NoValues
  'retention.confirm': NoValues
  'retention.confirmTitle': NoValues
  'retention.days': NoValues
  'retention.exceptions': NoValues
  'retention.follow': NoValues
  'retention.forDays': { days: number }
  'retention.hold': NoValues
  'retention.holds': NoValues
  'retention.holdsHint': NoValues
  'retention.keep': NoValues
  'retention.lift': NoValues
  'retention.limit': NoValues
  'retention.loadFailed': NoValues
  'retention.now.all': NoValues
  'retention.now.days': { days: number }
  'retention.place': NoValues
  'retention.preview': NoValues
  'retention.preview.text': { days: number; files: number; messages: number; size: string | number }
  'retention.previewFailed': NoValues
  'retention.reason': NoValues
  'retention.rule': NoValues
  'retention.rules': NoValues
  'retention.rulesHint': NoValues
  'retention.save': NoValues
  'retention.saveFailed': NoValues
  'retention.saved': NoValues
  'retention.section': NoValues
  'retention.where': NoValues
  'retention.workspace': NoValues
  'scheduled.alsoToChannel': NoValues
  'scheduled.cancel': NoValues
  'scheduled.cancelled': NoValues
  'scheduled.changeFailed': NoValues
  'scheduled.changeTime': NoValues
  'scheduled.countHere': { count: number }
  'scheduled.done': { time: string | number }
  'scheduled.edit': NoValues
  'scheduled.editInDrafts': NoValues
  'scheduled.failed': NoValues
  'scheduled.failedCount': { count: number }
  'scheduled.failedHere': { count: number }
  'scheduled.failedIn': { place: string | number; why: string | number }
  'scheduled.inDrafts': NoValues
  'scheduled.loadFailed': NoValues
  'scheduled.none': NoValues
  'scheduled.noneText': NoValues
  'scheduled.notSent': NoValues
  'scheduled.notSentBecause': { why: string | number }
  'scheduled.notifiesAll': NoValues
  'scheduled.refused': NoValues
  'scheduled.schedule': NoValues
  'scheduled.sendFailed': NoValues
  'scheduled.sendLater': NoValues
  'scheduled.sendNow': NoValues
  'scheduled.sendReplyLater': NoValues
  'scheduled.sendsAt': { time: string | number }
  'scheduled.sent': NoValues
  'scheduled.theirMorning': NoValues
  'scheduled.title': NoValues
  'scheduled.toBeSent': NoValues
  'scheduled.toDrafts': NoValues
  'scheduled.when': NoValues
  'scheduled.willNotBeSent': { why: string | number }
  'search.aMonthAgo': NoValues
  'search.aWeekAgo': NoValues
  'search.everywhere': NoValues
  'search.failed': { retry: Tag }
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
  'search.group.people': NoValues
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
  'search.keys.choose': NoValues
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
  'serverSettings.hint': NoValues
  'serverSettings.loadFailed': NoValues
  'serverSettings.secret': NoValues
  'serverSettings.section': NoValues
  'serverSettings.title': NoValues
  'serverSettings.unset': NoValues
  'setUp.action': NoValues
  'setUp.failed': NoValues
  'setUp.invite': NoValues
  'setUp.name': NoValues
  'setUp.subtitle': NoValues
  'setUp.title': NoValues
  'settings.accessibility': NoValues
  'settings.account': NoValues
  'settings.appearance': NoValues
  'settings.backFrom': { section: string | number }
  'settings.data': NoValues
  'settings.devices': NoValues
  'settings.email': NoValues
  'settings.keyboard': NoValues
  'settings.notifications': NoValues
  'settings.password': NoValues
  'settings.profile': NoValues
  'settings.security': NoValues
  'settings.title': NoValues
  'share.empty': NoValues
  'share.failed': NoValues
  'share.files': NoValues
  'share.full': NoValues
  'share.gone': NoValues
  'share.goneHint': NoValues
  'share.hint': NoValues
  'share.loading': NoValues
  'share.noRoom': { count: number; place: string | number }
  'share.shared': NoValues
  'share.title': NoValues
  'share.toConversations': NoValues
  'share.tooLarge': NoValues
  'share.tooLong': NoValues
  'share.tooMany': { count: number }
  'share.unreadable': NoValues
  'share.unready': NoValues
  'share.uploadNotAllowed': NoValues
  'shell.closeSidebar': NoValues
  'shell.conversations': NoValues
  'shell.files': NoValues
  'shell.menu.account': NoValues
  'shell.menu.invite': NoValues
  'shell.menu.members': NoValues
  'shell.menu.people': NoValues
  'shell.menu.readAll': NoValues
  'shell.menu.workspace': NoValues
  'shell.shortcuts.anywhere': NoValues
  'shell.shortcuts.inConversation': NoValues
  'shell.shortcuts.inLater': NoValues
  'shell.shortcuts.keys': NoValues
  'shell.shortcuts.later': NoValues
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
  'signIn.code.back': NoValues
  'signIn.code.label': NoValues
  'signIn.code.locked': NoValues
  'signIn.code.missing': NoValues
  'signIn.code.recovery': NoValues
  'signIn.code.recoveryText': NoValues
  'signIn.code.text': NoValues
  'signIn.code.timedOut': NoValues
  'signIn.code.title': NoValues
  'signIn.code.tooMany': NoValues
  'signIn.code.useApp': NoValues
  'signIn.code.useRecovery': NoValues
  'signIn.code.wrong': NoValues
  'signIn.code.wrongRecovery': NoValues
  'signIn.continueWith': { provider: string | number }
  'signIn.cookies': NoValues
  'signIn.error.loginMissing': NoValues
  'signIn.error.manyTries': NoValues
  'signIn.error.passwordMissing': NoValues
  'signIn.error.tooFast': NoValues
  'signIn.error.wrong': NoValues
  'signIn.forgot': NoValues
  'signIn.forgotLink': NoValues
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
  'signIn.passkey.action': NoValues
  'signIn.passkey.cancelled': NoValues
  'signIn.passkey.failed': NoValues
  'signIn.passkey.unknown': NoValues
  'signIn.password': NoValues
  'signIn.sessionExpired': NoValues
  'signIn.showPassword': NoValues
  'signIn.signOutPending': NoValues
  'signIn.subtitle': NoValues
  'signIn.title': NoValues
  'signUp.action': NoValues
  'signUp.boundEmail': NoValues
  'signUp.busy': NoValues
  'signUp.closedText': NoValues
  'signUp.closedTitle': NoValues
  'signUp.email': NoValues
  'signUp.emptySubtitle': NoValues
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
  'signUp.optional': NoValues
  'signUp.passwordHint': { min: number }
  'signUp.subtitle': NoValues
  'signUp.title': NoValues
  'signUp.usernameHint': { max: number; min: number }
  'signUpRule.closed': NoValues
  'signUpRule.closedHint': NoValues
  'signUpRule.fixed': { rule: string | number }
  'signUpRule.invite': NoValues
  'signUpRule.inviteHint': NoValues
  'signUpRule.loadFailed': NoValues
  'signUpRule.open': NoValues
  'signUpRule.openHint': NoValues
  'signUpRule.saveFailed': NoValues
  'signUpRule.title': NoValues
  'stopMail.action': NoValues
  'stopMail.done': NoValues
  'stopMail.doneText': NoValues
  'stopMail.text': NoValues
  'stopMail.title': NoValues
  'storage.by': NoValues
  'storage.channels': NoValues
  'storage.files': { count: number }
  'storage.gone': NoValues
  'storage.hidden': NoValues
  'storage.hint': NoValues
  'storage.loadFailed': NoValues
  'storage.more': NoValues
  'storage.noChannel': NoValues
  'storage.none': NoValues
  'storage.people': NoValues
  'storage.section': NoValues
  'storage.title': NoValues
  'suggestions.channels': NoValues
  'suggestions.everyone': NoValues
  'suggestions.everyoneOnline': NoValues
  'suggestions.notInChannel': NoValues
  'suggestions.people': NoValues
  'threads.all': NoValues
  'threads.ended.deleted': NoValues
  'threads.ended.gone': { channel: string | number }
  'threads.ended.kept': { drafts: string | number }
  'threads.ended.left': { channel: string | number }
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
  'threads.unfollowed': NoValues
  'threads.unread': NoValues
  'threads.unreadCount': { count: number }
  'threads.untitled': NoValues
  'time.daysAgo': { count: number }
  'time.hoursAgo': { count: number }
  'time.justNow': NoValues
  'time.minutesAgo': { count: number }
  'time.today': NoValues
  'time.tomorrowAt': { time: string | number }
  'time.yesterday': NoValues
  'twoFactor.byProvider': NoValues
  'twoFactor.codesLeft': { count: number }
  'twoFactor.confirmOff': NoValues
  'twoFactor.confirmRenew': NoValues
  'twoFactor.confirmSetUp': NoValues
  'twoFactor.continue': NoValues
  'twoFactor.download': NoValues
  'twoFactor.failed': NoValues
  'twoFactor.firstCode': NoValues
  'twoFactor.keepCodes': NoValues
  'twoFactor.kept': NoValues
  'twoFactor.loadFailed': NoValues
  'twoFactor.off': NoValues
  'twoFactor.on': NoValues
  'twoFactor.orType': NoValues
  'twoFactor.qrCode': NoValues
  'twoFactor.recoveryCodes': NoValues
  'twoFactor.renew': NoValues
  'twoFactor.scan': NoValues
  'twoFactor.setUp': NoValues
  'twoFactor.text': NoValues
  'twoFactor.title': NoValues
  'twoFactor.turnOff': NoValues
  'twoFactor.turnOn': NoValues
  'ui.actionsFor': { name: string | number }
  'ui.cancel': NoValues
  'ui.choose': NoValues
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
  'ui.remaining.hours': { count: number }
  'ui.remaining.minutes': { count: number }
  'ui.remaining.seconds': NoValues
  'ui.removeNamed': { name: string | number }
  'ui.save': NoValues
  'ui.saved': NoValues
  'ui.tooLong': { count: number }
  'ui.tryAgain': NoValues
  'ui.undo': NoValues
  'users.availability.active': NoValues
  'users.availability.activeHint': NoValues
  'users.availability.away': NoValues
  'users.availability.awayHint': NoValues
  'users.availability.failed': NoValues
  'users.availability.invisible': NoValues
  'users.availability.invisibleHint': NoValues
  'users.availability.quiet': NoValues
  'users.availability.quietHint': NoValues
  'users.availability.quietUntil': { time: string | number }
  'users.availability.span': NoValues
  'users.availability.title': NoValues
  'users.availability.tomorrow': NoValues
  'users.card.browserZone': { zone: string | number }
  'users.card.hint': NoValues
  'users.card.loadFailed': NoValues
  'users.card.save': NoValues
  'users.card.timeZone': NoValues
  'users.card.title': NoValues
  'users.clearStatus': NoValues
  'users.currentStatus': { status: string | number }
  'users.picture.change': NoValues
  'users.picture.cropHint': NoValues
  'users.picture.cropLabel': NoValues
  'users.picture.cropTitle': NoValues
  'users.picture.failed': NoValues
  'users.picture.file': NoValues
  'users.picture.hint': NoValues
  'users.picture.remove': NoValues
  'users.picture.removeFailed': NoValues
  'users.picture.unreadable': NoValues
  'users.picture.upload': NoValues
  'users.picture.use': NoValues
  'users.picture.zoom': NoValues
  'users.saveFailed': NoValues
  'users.setStatus': NoValues
  'users.status.custom': NoValues
  'users.status.customEnd': NoValues
  'users.status.end': NoValues
  'users.status.hours': { hours: number }
  'users.status.isQuiet': NoValues
  'users.status.minutes': { minutes: number }
  'users.status.never': NoValues
  'users.status.pickHint': NoValues
  'users.status.placeholder': NoValues
  'users.status.text': NoValues
  'users.status.today': NoValues
  'users.status.week': NoValues
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
  'welcome.title': { name: string | number; workspace: string | number }
  'workspace.name': NoValues
  'workspace.nameHint': NoValues
  'workspace.renameFailed': NoValues
  'workspace.title': NoValues
}
