// The same week in the work channels, in the format of story.ts.

export const work = `
# engineering
@mon 10:20 olena
Review, please: retries of the payment provider now stop when the person closes the page. It was asking for ever, like my cat.

'''ts
export async function pay(order: Order, signal: AbortSignal) {
  for (const wait of [0, 500, 2_000]) {
    await sleep(wait, { signal })
    const answer = await provider.charge(order, { idempotencyKey: order.id, signal })
    if (answer.status !== 'busy') return answer
  }
  throw new PaymentUnavailable(order.id)
}
'''
+ 👀 bob kenji | 🐈 ada mei
^10:42 bob
Nice. What happens when the page is closed *after* the charge and before the answer?
^10:47 olena
The key is the order's id, so the next try gets the same charge back. There is a test with a very rude proxy.
+ 🫶 bob
^10:49 bob
Then it has my ✅

@mon 16:05 kenji
SQLite の同期、こう書き直しました。読みやすくなったと思います：

'''sql
select t.id, t.valid_from at time zone p.zone as local_departure
from tickets t join ports p on p.id = t.port_id
where t.passenger_id = $1 and t.valid_from > now() - interval '1 day'
order by t.valid_from;
'''
+ 👍 jiwoo chidi
^16:20 chidi
''at time zone p.zone'' is the nicest thing I have read all day. Are the zones of all ports filled?
^16:24 kenji
はい、43 港すべてです。
+ ✨ chidi

@tue 11:02 priya
Can somebody explain why this passes on my machine and fails on the build machine?

'''python
def test_ticket_shows_local_time():
    ticket = buy("Piraeus", "Aegina", at="2026-03-04T06:15Z")
    assert ticket.departure_text == "08:15"
'''
+ 🤔 bob soren
^11:10 bob
Time zone of the machine?
^11:11 priya
Both say Athens.
^11:30 soren
I will look at the image on Thursday, after the launch.
!edited

@tue 14:45 bob
Small one, but it made me happy. Before and after:

'''diff
- const total = prices.reduce((sum, p) => sum + p, 0) * 1.24
+ const total = addTax(sumOf(prices), port.taxRate)
'''
+ ✨ olena jiwoo
@tue 14:47 bob
wrong channel, sorry
!deleted

@wed 13:20 chidi
The post-mortem of this morning, one page. Questions in the thread, also the uncomfortable ones.
!file Post-mortem, Wednesday.pdf
+ 🙏 ada eve soren priya | 💯 bob
^13:31 priya
My failing test of Tuesday was this. I should have been louder.
^13:33 ada
No: a red test is loud. We should have listened. From now on a red test stops the line, also in launch week.
+ ❤️ priya chidi olena | ✅ soren bob
^13:40 soren
And I should not have written "after the launch". Mended: images are built with their zones, and a start without them fails at once.

@thu 15:30 jiwoo
Rust 스캐너가 이제 14ms예요:

'''rust
pub fn scan(frame: &Frame) -> Option<Ticket> {
    let code = decode(frame)?;
    Ticket::verify(&code, &PORT_KEYS).ok()
}
'''
+ 🦀 kenji bob olena

@fri 10:02 bob
Idea for next week: delete the old API. It had 11 calls yesterday, and 10 of them were me looking whether anybody calls it.
+ 🪓 olena kenji jiwoo ada | 😅 chidi

# incidents
@wed 09:41 eve
A passenger wrote that her ticket says **07:15**, and the ferry leaves at 08:15. I looked at three others: all an hour or two early. @chidi @soren
+ 🚨 chidi soren
^09:43 soren
Looking.
^09:44 chidi
I lead. Bob writes to the ports, Eve to passengers, Soren looks for the cause. Everybody else: thank you for being quiet.
+ 👍 bob eve
^09:52 soren
Started with the deploy of 09:24. The log is full of this.
!file ticket-service.log
^09:58 soren
Found. The new base image has no time zone data, so everything falls back to UTC.
^10:00 chidi
Roll back first, understand later.
+ 💯 ada
^10:07 soren
Rolled back to 1.9.4. New tickets are right.
+ 🙌 eve chidi bob
^10:24 bob
All 214 affected tickets are sent again, with an apology and a coffee voucher.
+ ☕ eve
^10:31 eve
Nobody missed a ferry. Two people were an hour early and say that the coffee was good.
+ 😮‍💨 ada chidi soren bob
^13:22 chidi
Post-mortem is in #engineering. Closing this.

@wed 09:50 chidi
For the graph lovers: time to a ticket, 09:20 to 10:20. The hill is us.
!file ticket-latency.png
+ ⛰️ soren olena

@thu 08:05 soren
The four-zone test ran all night: Athens, Lisbon, Cairo, Tokyo. Green every hour.
+ 💚 chidi priya ada

!away fri 10:50 ada

@fri 11:02 soren
Small one, solved already: the certificate of the status page was for the wrong name. Nobody saw it but @priya, who sees everything.
+ 👁️ priya
^11:08 priya
मैं सोती भी हूँ, कभी-कभी
^11:18 chidi
@ada one thing for you: the page would like a second owner besides Soren, for when he is at sea. You or Bob?
+ 👀 soren

# design
@mon 11:15 mei
Two ways to show a ticket. **A** puts the route first, **B** the code. Which one do you hold up faster with a suitcase in the other hand?
!file boarding-pass-a.png
!file boarding-pass-b.png
+ 🅰️ tomas grace soren | 🅱️ nikos zoe jiwoo eve kenji priya
^11:22 nikos
B. At the gate nobody reads. They point.
+ 🎯 mei
^11:30 tomas
A looks calmer though, and I am a calm man.
^11:31 zoe
You asked for the fifth deadline this morning.
+ 😂 mei nikos ada
^11:48 ada
Could B say the route *below*, large enough for a grandmother? Then we have both.
+ 👵 nikos | 💡 mei
^14:05 mei
做好了：路线在下面，20 号字。谢谢大家！
+ ❤️ ada zoe tomas

@tue 10:30 zoe
Contrast of the secondary text on dark was 3.9, now it is 5.2. If you see grey that whispers, tell me.
+ 👏 mei priya noa

@tue 13:10 mei
The map, with fewer things on it. I took away the sea depth, the gulls, and the compass that pointed at our office.
!file routes.png
+ 😍 zoe ada nikos | 🧭 tomas
^13:18 nikos
The gulls were the best part.
^13:20 mei
The gulls are in the 404 page now.
+ 🕊️ nikos zoe

@wed 16:10 zoe
Icons for everybody, in one archive. Please throw away the old ones, and the ones you drew yourselves, Bob.
!file gangway-icons.zip
+ 🗑️ mei | 😢 bob
^16:15 bob
The anchor had character.
^16:16 zoe
The anchor had three arms.

@fri 09:50 mei
Names for the dark theme: *Midnight*, *Deep Water*, or *Tomás forgot to pay for electricity*?
+ 🌙 zoe jiwoo | 🌊 ada nikos kenji grace | 💡 bob soren eve

# customers
@mon 15:00 nikos
Blue Star Lines would sign for 12 more routes if tickets can be bought for a group: 40 pupils, one teacher, no patience.
+ 💰 grace ada
^15:12 tomas
How soon?
^15:14 nikos
Before Easter. Which one I did not dare to ask.

@tue 12:05 eve
Best letter of the month:

> Dear Gangway, your app told me that my ferry was late before the captain knew. He would like to talk to you. Warmly, a passenger on deck 4

+ 😂 ada tomas nikos grace | ⚓ zoe

@thu 17:10 ada
Answer for the group tickets: yes, for the first of April, and no joke. Tomás writes the page, Olena has looked at the data.
+ 🙌 nikos eve

@fri 10:20 nikos
Signed. Δώδεκα διαδρομές! I owe somebody a lunch with a view of the water.
!file harbour-this-morning.jpg
+ 🎉 ada tomas grace eve zoe | 🥂 mei
`
