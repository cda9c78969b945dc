// A week at a small company that sells ferry tickets, in the format of story.ts.

/** The minute of Friday at which it ends. */
export const END = 11 * 60 + 42

export const week = `
# general
@mon 08:58 ada
Good morning everyone! It is **launch week**. Gangway 2 goes out on Thursday at 10:00, ferries permitting.

What to read if you read one thing: the plan is pinned in people's heads, so ask.
+ 🚀 bob mei tomas priya jiwoo | ☕ soren olena | ⛴️ nikos kenji

@mon 09:01 soren
God morgen! All systems green, which always makes me a little nervous
+ 😄 ada bob eve

@mon 09:03 layla
صباح الخير من القاهرة ☀️ اليوم ٣٤ درجة، أحسدكم على المطر
+ ☀️ mei nikos noa | 💧 soren

@mon 09:04 nikos
Καλημέρα από τον Πειραιά! Two captains asked me about the new tickets this morning. They want to know whether the beep can be louder.
+ 😂 ada tomas chidi zoe eve
^09:10 tomas
How loud is loud?
^09:12 nikos
Κύριε Τομάς, they work next to a diesel engine.
+ 💀 tomas bob
^09:20 jiwoo
지금 소리 테스트 중이에요. 사무실 사람들한테 미리 사과할게요 🙇
!file ferry-horn.wav
+ 📯 nikos tomas ada mei | 🙉 grace
^09:31 grace
I heard that through two doors and a video call.
+ 🎯 jiwoo

@mon 09:15 kenji
おはようございます。今週もよろしくお願いします！

@mon 09:16 mei
大家早上好！设计稿都在 #design，今天中午之前请看一下 🙏
+ 👀 zoe tomas | 👍 ada

@mon 13:40 grace
Please welcome @noa, who starts today and writes our help pages. She has already found four typos in the contract.
+ 👋 ada bob mei tomas eve zoe layla kenji | 🎉 priya chidi | ❤️ olena
^13:44 noa
תודה רבה לכולם! מצאתי בינתיים גם את מכונת הקפה, אז אפשר להתחיל
^13:45 noa
(Thank you all! I also found the coffee machine, so we can begin.)
+ ☕ grace soren
^13:52 bob
Five typos: it says "Parly" on page 3
+ 🔎 noa

@tue 10:05 priya
टेस्ट का पहला दौर पूरा हुआ: ४१२ में से ४०९ पास। तीन बग बचे हैं, सब छोटे।

For everybody else: 409 of 412 pass. The other three are small, and I know where they live.
+ 👏 ada bob olena jiwoo | 🐛 kenji

@tue 16:30 ada
Reminder: nothing is merged after Wednesday 18:00. If it is not in by then, it was not in Gangway 2. No heroes please, heroes are expensive.
+ 🫡 bob olena kenji jiwoo | 🙏 soren

@wed 11:30 chidi
Quick note for those who saw the noise in #incidents: it is over, tickets show the right time again. Details come today, in one page, without blame.
+ ❤️ eve ada | 🙏 nikos grace

@thu 10:02 ada
**Gangway 2 is live.** 🎉

First ticket sold: Rafina – Andros, one passenger, one bicycle, 10:01:37.
+ 🎉 bob mei tomas eve zoe layla kenji priya chidi soren grace olena nikos noa jiwoo | 🚲 mei zoe kenji | ⛴️ nikos layla
^10:04 tomas
Who was it?
^10:05 nikos
My mother. But she paid!
+ 😂 ada bob mei tomas eve zoe chidi | 💶 grace
^10:09 eve
Does she know that she can get a refund until 18:00?
^10:11 nikos
Please do not tell her.
+ 🤫 eve ada

@thu 10:20 olena
Вітаю всіх! База навіть не помітила запуску: 12 мс у середньому
+ 💪 bob soren ada

@fri 09:05 ada
Thank you all for this week. There is cake at 12:00 in the kitchen, and on the call for those far away (the cake on the call is a picture, sorry Kenji).
!file cake.jpg
+ 🎂 bob mei tomas priya jiwoo grace | 😭 kenji layla

@fri 09:12 kenji
写真のケーキはカロリーゼロですね 🍰
+ 😂 ada mei jiwoo

# launch
@mon 09:30 tomas
Everything about Thursday goes through here. What must be true before we press the button:

1. refunds work by card **and** by invoice
2. tickets open without a network
3. the status page exists
4. somebody owns the cake

Decisions in threads, please.
!file launch-checklist.md
+ 👍 ada bob mei priya grace | 🎂 jiwoo
^09:41 priya
1 is tested. 2 is tested on a real ferry, thanks to @nikos and his sea legs.
+ ⛴️ nikos
^09:44 soren
3 is mine, today.
^09:50 grace
4 is mine. Lemon.
+ 🍋 ada tomas mei

@mon 14:12 jiwoo
오프라인 티켓이 드디어 됩니다! 비행기 모드에서 3일 동안 테스트했어요.

(Tickets open without a network now: three days in airplane mode. I missed two birthdays.)
+ 🙌 kenji tomas ada | 😢 grace

@tue 09:20 bob
Numbers for the load test, against the target:

| step | target | measured |
| --- | ---: | ---: |
| search a route | 120 ms | 38 ms |
| buy a ticket | 400 ms | 212 ms |
| refund | 800 ms | 231 ms |
| scan on board | 60 ms | 14 ms |

Two thousand people at once, twenty minutes. The fan of my laptop has applied for a raise.
+ 🔥 ada olena soren | 🌬️ chidi tomas
^09:32 olena
Буду чесною: я чекала гірше. Is the search number with or without the cache?
^09:35 bob
Without. With it there is nothing left to measure.
+ 🤯 olena

@wed 15:02 tomas
Go or no go? Please react until 17:00: ✅ go, ⏳ a day later, ⛔ no.
+ ✅ ada bob mei priya soren olena kenji jiwoo nikos eve | ⏳ chidi
^15:10 chidi
Only so that it is said: after this morning I would like one more look at the time zones.
^15:14 ada
Fair. @soren, can the four-zone test run tonight?
^15:20 soren
It runs every hour from now on. I will sleep better, too.
+ ❤️ chidi
^17:01 tomas
Then it is a **go** for 10:00.

@wed 17:30 grace
The announcement, last call for words:

> Gangway 2 puts your ferry in your pocket. Buy it on the sofa, show it on the pier, and leave the printer to those who enjoy printers.

+ ❤️ ada mei tomas noa | 🖨️ bob
^17:36 noa
Lovely. "those who love printers", maybe? "Enjoy" came already in the line before.
^17:38 grace
Taken, thank you!

@thu 09:55 soren
Checklist of the last five minutes:

- [x] backups are fresh (07:10)
- [x] four-zone test is green
- [x] status page is up
- [x] Nikos is on a ferry
- [ ] breathe
+ 😮‍💨 ada bob priya

@thu 10:01 bob
'''shell
$ ./deploy gangway 2.0.0
  building   ████████████ 100 %
  migrating  3 of 3
  switching  eu-1 eu-2
  done in 48 s
'''
+ 🚀 ada tomas mei jiwoo kenji olena soren priya

@thu 12:15 nikos
Από το κατάστρωμα: it scans, it beeps, the captain nodded. For a captain that is a speech.
!file harbour-this-morning.jpg
+ 😍 mei zoe ada layla | ⛴️ tomas bob kenji

@thu 16:40 eve
Support after six hours: 61 questions, 44 of them "where is my printed ticket", 9 compliments, 1 marriage proposal (for the app, I checked).
+ 💍 jiwoo grace | 😂 ada bob tomas
^16:48 noa
I wrote a page for the 44: https://help.example.com/where-is-my-printed-ticket
+ 🙏 eve

@fri 09:30 chidi
First day: **1,131 tickets**, 58% of them on phones that never had the old app. By route in the file.
!file bookings-by-route.csv
+ 📈 ada tomas grace nikos | 🎉 bob mei

@fri 10:15 ada
That is more than the whole first month of version 1. I went back and looked: we sold 900, and 200 of those were to ourselves.
+ 🫣 bob tomas

@fri 10:40 mei
下周的第一件事：深色模式的登船页 🌙
+ 🌙 zoe ada

!away fri 11:05 ada

@fri 11:12 tomas
@ada the port authority of Piraeus asks whether we come to their board on Tuesday, 11:00. Ten minutes, with the numbers of Chidi. Shall I say yes?
+ 👀 grace
^11:15 grace
I would bring the marriage proposal.
+ 💯 tomas eve

@fri 11:24 priya
One more from the long list: with the text size of the phone at its largest the gate number is cut off. Fix is ready, can it go out today?
+ 👍 jiwoo

@fri 11:31 bob
Reviewed and green. It waits for one yes.
`
