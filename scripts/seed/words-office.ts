// Conversations at work, in the format of talk.ts.

export const general = `
a: Good morning everyone ☀️
b: morning!
c: Good morning from a train without heating
d: 🥶

a: Welcome {person}, who starts with us today! 👋
b: welcome!!
c: So good to have you here. Lunch at 12:30?
d: thank you all! Lunch sounds perfect, I have already found the coffee

a: The all-hands is on {day} at {time}. Send me topics until then, please
b: could we talk about the office move?
a: it is the first item
c: and a demo of the new search, five minutes?
a: gladly

a: Numbers of last month are in: **{pct} % more active teams**, churn below 2 % for the first time
b: 👏👏👏
c: that is what a quiet release does
a: details here: https://wiki.example.com/reports/{sha}

a: I am out from {day} for a week, {person} covers for me
b: enjoy! Leave the laptop at home 😉
a: it is locked away already

a: fire drill at {time}, please really leave the building this time
b: with or without coffee?
a: with, if you must

a: who left a blue umbrella in the big meeting room?
b: mine! thank you
c: it has been raining for {n} days and it stood *there*?

a: Heads-up: the wiki moves to a new address on {day}. Old links keep working
b: does the search move, too?
a: yes, and it finds things now
c: revolutionary
`

export const design = `
a: New empty states are up for a look: https://design.example.com/f/{sha}
b: I love the second one. The text of the third sounds like an apology
a: what would you write?
b: "No files yet. Drop one here." Nothing more
c: +1, say what to do and stop
a: changed, thanks!

a: contrast of the secondary text on dark is 3.{n}, we need 4.5
b: which token?
a: ''--text-muted''
b: raised it a step, now 5.1. Could you check on the sidebar too?
a: looks good everywhere 👀✅

a: Question: do we show "edited" next to the time or on hover?
b: always, but quiet. People want to know
c: agree. And a tooltip with the time of the edit
a: ok, in {ticket}

a: I watched {n} people use the new composer. Findings:
- nobody found the attachment button
- everybody pressed Enter without thinking
- two asked where their draft went after a reload
b: the draft one is {ticket}, in review
c: attachment button: more space, or a label?
a: a label, I think. I try both on {day}

a: the icons look blurry on my screen
b: which zoom?
a: 110 %
b: 20 px icons at 110 % are 22, and the stroke lands between pixels. Known, no good answer yet
a: alright, at least I am not going mad
`

export const product = `
a: Draft of the roadmap for next quarter: https://wiki.example.com/roadmap-{version}
b: reading…
b: I miss the import from other tools. It is what {customer} and others wait for
a: it is in "later" because we don't know how big it is
c: give us two days for a look, then we know
a: deal: {ticket}

a: what do we think about voice messages?
b: some teams love them, some ban them. Off by default?
c: a transcript under each, otherwise search is blind
a: both good points, into the notes

a: Retro notes
> went well: the release, nobody worked late
> went badly: three meetings about one button
> try: decide in writing first, meet only if that fails
b: the third one, yes please
c: 💯

a: usage of the old export: {n} teams in {big} days. Can we remove it?
b: ask those {n} first
a: they are all fine with the new one, one did not know it existed
b: then remove it, with a line in the changelog

a: should deleted messages leave a trace?
b: yes: "Message deleted". Otherwise the replies hang in the air
c: and unread counts would lie
a: agreed. Writing it down so that we don't discuss it again in spring

a: I need a decision on {ticket} by {day}: one list or two columns?
b: one list
c: one list, filters above it
d: two columns, but I can live with one list
a: One list it is, thank you for being quick
`

export const random = `
a: 🥐 there are croissants in the kitchen
b: there *were* croissants in the kitchen
c: 💔

a: what are you all listening to while working?
b: nothing, then rain, then nothing
c: film scores. You feel heroic while renaming variables
d: the same album since 2009 and I am not sorry

a: today I learned that an octopus has three hearts
b: and still no time for our stand-up
a: 🐙

a: my cat walked over the keyboard and closed {n} tickets
b: promote her
c: what is her review turnaround?
a: instant, but harsh

a: book recommendations for a long flight?
b: *The Mythical Man-Month*, if you want to feel seen
c: please let people rest. Something with dragons 🐉
a: dragons it is

a: who is up for a run along the river after work?
b: how far and how fast?
a: about {n} km, slower than you fear
b: in
c: I'll cheer from the café

a: lunch? 🍜
b: in ten minutes
c: yes!
d: save me a seat, my meeting "only takes five minutes"

a: the plant next to the window has a new leaf 🌱
b: against all odds
c: who waters it?
a: …I thought you do
`

export const hiring = `
a: Second interview with the candidate for the platform team is on {day}, {time}
b: I take the system design part
c: and I the pairing. Please no whiteboard puzzles
a: of course not. A real bug of ours from last year, with the tests

a: feedback, short: clear thinker, asks before assuming, wrote the test first
b: same impression. Weak on databases, but learns fast
c: a yes from me
b: yes
a: then I call this afternoon 📞
a: she said yes!! Starts on the first

a: {n} applications this week. Could everyone read five until {day}?
b: will do
c: mine are done, two are very good
a: thank you. Please write reasons, also for a no
`
