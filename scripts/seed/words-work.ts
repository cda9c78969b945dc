// Conversations at work, in the format of talk.ts.

export const engineering = `
a: Has anyone seen the flaky test in {ticket}? It failed twice on main since this morning
b: yes, same here. It only fails when the suite runs before {time} UTC, so I suspect a date
a: found it: the fixture says "tomorrow" and means local time
a: '''ts
const due = new Date()
due.setDate(due.getDate() + 1) // local, the assertion is in UTC
'''
b: oh no 😅
c: we have ''addDays()'' in the clock module for exactly this
a: fixed in {pr}, could somebody have a look?
b: approved ✅

a: {pr} is ready for review. It is mostly deletions: +{n} −{big}
b: my favourite kind of pull request ❤️
b: one question: do we still need ''legacyRouter''? I can find one caller only
a: That one goes away with {ticket} next week, I left a comment
b: 👍 then LGTM

a: Who knows why ''{host}'' is at {pct} % CPU?
b: that is the nightly reindex, it should be through in {n} minutes
a: Can we run it at three in the morning instead of nine?
b: it was at three until the clocks changed… I will move it to UTC
c: *every* cron job of ours should say which time zone it means

a: I measured the new query. Before: {big} ms, after: {ms} ms 🚀
b: wow. What changed?
a: '''sql
create index concurrently on invoices (account_id, issued_at desc)
  where cancelled_at is null;
'''
a: it used to sort {big} rows to show ten of them
c: could you put the two plans into {ticket}? Somebody will ask in a year
a: done

a: Release {version} is cut. What is in it:
- retries for webhooks, with a growing pause
- CSV export keeps umlauts (finally)
- the settings page loads {pct} % faster
b: I will watch the dashboards while it rolls out
b: canary looks good, error rate at 0.0{n} %
a: everywhere now. Thanks all!

a: reminder: the certificate of ''{host}'' expires on {day}
b: Isn't that automated?
a: For all but this one, because of the old load balancer
b: ok. I take it: {ticket}
b: done, and there is a check for it now, so this was the last reminder

a: what does this even mean
a: '''
Error: ECONNRESET
    at TLSWrap.onStreamRead (node:internal/stream_base_commons:216:20)
'''
b: the other side hung up. Is there an idle timeout in between? The proxy closes after 60 s
a: keep-alive of ours is 75 s. That explains it
b: make ours 55 s and write down why, please

a: Shall we take the library for this or write the {n} lines ourselves?
b: last release {n} months ago, {n} open issues. I would write it
c: +1, with a test for the leap second 🙂
a: Ourselves then.

a: ''git bisect'' says it is {sha}
b: that's mine. It only renames a variable?!
a: it also changes the order of two awaits, look at line {n}
b: …you are right. Reverting, and then properly with a test
c: this is why I like small commits

a: the migration on staging ran {n} minutes, is that expected?
b: no, I had {ms} ms locally. How many rows are in ''events''?
a: about {big} thousand
b: it rewrites the table because of the default. I split it in three steps in {pr}
a: now {ms} ms on staging as well 🎉

a: Who is on call this weekend?
b: {person}, and I am second
a: There is one thing to know: ''{host}'' gets new memory on {day}, it may restart once
b: noted, thank you

a: Please don't merge to main until {time}, I am changing the build cache
b: 👌
a: done, and cold builds take {n} s instead of {big}
c: I could cry of joy
`

export const incidents = `
a: 🔴 Payments are failing since {time}. I am looking, {person} is informed
b: what do customers see?
a: "Something went wrong", about {pct} % of attempts
b: status page is updated
a: cause: connection pool of ''{host}'' exhausted after the deploy of {sha}
a: rolling back
a: 🟢 back to normal. {n} minutes in all. I write the report: {ticket}
c: thank you both, that was calm and quick

a: alert: disk of ''{host}'' at {pct} %
b: logs again?
a: no, core dumps. {n} of them since yesterday
b: please keep one for me before you delete them
a: copied to the usual place. Disk is at 31 % now

a: Emails are delayed by about {n} minutes
b: our side or the provider?
a: provider: https://status.mail.example.com/incidents/{sha}
a: they say it is fixed, queue is draining, {big} to go
a: empty. Nothing was lost

a: Postmortem of {ticket} is written. Short version:
1. a retry without a limit
2. no alert on queue length
3. the runbook named a host that is gone since spring
b: who does what?
a: 1 is mine, 2 is {person}, 3 is already done
c: good read, thanks for being so frank in it

a: latency p99 doubled, from {ms} ms to {big} ms, only in eu-west
b: I see packet loss between ''{host}'' and the database
b: opened a ticket with the provider
c: shall we move traffic?
b: yes please, {pct} % first
a: done. p99 is falling
b: the provider replaced a switch. Moving back at {time}

a: false alarm, sorry: the monitoring itself was down
b: who monitors the monitoring?
c: 🐢 turtles all the way down
`

export const customers = `
a: {customer} asks whether exports can be scheduled
b: Not yet; how often do we hear that?
a: third time this month
b: then please add it to {ticket}, I bring it to planning on {day}

a: Call with {customer} went well. They want to start with {n} seats and grow to {big}
b: great! What worried them?
a: two things: single sign-on and where the data is
c: both are answered in https://docs.example.com/security, I can join the next call
a: Please do, {day} at {time}

a: {customer} reports that invoices show the wrong month
b: Is their account set to Asia/Tokyo?
a: it is!
b: {ticket} then. A fix is in review, it goes out with {version}
a: told them, they are happy with that

a: can somebody explain our limits to a customer in plain words?
b: I would say: files up to 50 MB, messages up to 10,000 characters, and everything else as much as you like
a: that is better than what our page says 🙂
b: then let's change the page

a: Quote of the day from {customer}: "we switched because it was the only one that did not lose our messages"
b: ❤️
c: I'm putting this on the wall
d: and on the website, if they agree. I will ask

a: renewal of {customer} is due on {day}, who owns it?
b: me. They asked for a yearly plan with {pct} % off
a: we can do that from {n} seats on, as always
b: fair. I'll offer it
`
