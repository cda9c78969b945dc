// The same week at lunch, between the offices, and in direct messages, in the format of story.ts.

export const life = `
# lunch
@mon 11:40 tomas
Poll for today:

🍜 noodles at the corner
🍕 the new pizza place
🥗 something green, because it is only Monday
+ 🍜 mei jiwoo kenji bob ada | 🍕 soren tomas chidi | 🥗 zoe

@mon 11:52 bob
Noodles it is. 12:15 downstairs, I have a table for seven.
+ 🍜 mei jiwoo

@tue 11:45 soren
Whoever put the smoked herring into the small fridge: it is a wonderful herring, but it talks to the butter.
+ 🐟 bob mei tomas zoe | 😷 grace | 😂 ada eve
^11:50 nikos
It is not a herring, it is a λακέρδα, and the butter is lucky.
+ 🏛️ soren

@wed 12:30 zoe
Emergency croissants are in the kitchen, for everybody who had a morning.
+ 🥐 eve chidi bob ada olena | ❤️ soren

@thu 12:40 layla
أنا وحدي في مكتب القاهرة وطلبت كشري لثلاثة أشخاص. لا أسئلة من فضلكم.
+ 🤐 ada noa | 😋 nikos

!away fri 11:00 ada

@fri 11:20 grace
The cake has arrived. It is bigger than the door of the fridge. Suggestions welcome, also irresponsible ones.
+ 🍰 jiwoo bob mei
^11:26 bob
We move the meeting to the cake.

@fri 11:36 jiwoo
케이크 냉장고 앞에서 대기 중 🫡
+ 🫡 kenji

# 世界-offices
@mon 10:10 kenji
東京は雨です。傘を忘れました。
+ ☔ mei ada

@mon 10:14 nikos
Στον Πειραιά έχει ήλιο, αλλά το Wi-Fi του λιμανιού βρέχει.
+ 😂 tomas

@tue 15:20 noa
שאלה לכל המשרדים: איך אומרים "מעבורת" בשפה שלכם? אני אוספת את זה לדף העזרה
+ 💡 ada tomas
^15:22 tomas
transbordador, but my grandmother says *la lancha* to everything that floats
^15:23 kenji
フェリー（そのままです）
^15:24 priya
फ़ेरी, या "नौका" अगर आप कवि हैं
^15:25 layla
عبّارة
^15:26 olena
пором
^15:28 jiwoo
여객선, 아니면 그냥 페리
^15:30 mei
渡轮
^15:33 soren
færge. And Zoë will say *färja* and claim that it is another word.
+ 😤 zoe
^15:35 zoe
It is another word.
+ 😂 soren noa ada

@thu 18:20 mei
今天上线了，我请大家喝奶茶！上海的同事请留言 🧋
+ 🧋 jiwoo kenji ada zoe

# dm ada kenji
@wed 18:10 ada
Kenji, are you still awake? It is past midnight with you.
@wed 18:12 kenji
はい、まだ起きています。ランチ前に最後の確認を… launch 前に 😅
+ 😂 ada
@wed 18:13 ada
Sleep! Jiwoo has the phone until morning.
@wed 18:14 kenji
わかりました。おやすみなさい。
+ 🌙 ada
!away fri 11:10 ada
@fri 11:28 kenji
The store has approved 2.0.1. Shall I publish it today or on Monday?
@fri 11:29 kenji
月曜日のほうがいいと思います。金曜日のリリースは怖いです 😱

# dm ada mei zoe
@thu 14:30 zoe
Secret meeting about the present for Grace. She has organised every cake of this year, and never had one.
@thu 14:33 mei
我同意！蛋糕形状的渡轮？
+ ⛴️ zoe ada
@thu 14:35 ada
A cake that looks like a ferry. Done. Who knows a baker with nerves?
!away fri 11:10 ada
@fri 11:33 zoe
I found one. She asks whether the ferry needs to float.
+ 😂 mei

# dm ada bob
@tue 17:40 bob
Have you got ten minutes tomorrow? It is about the old API, and nothing bad.
@tue 17:44 ada
11:00? I bring coffee.
+ ☕ bob
@fri 09:40 bob
It is going to be a good Friday, I can feel it.
@fri 09:41 ada
Do not say such things before noon.
+ 🤞 bob
`
