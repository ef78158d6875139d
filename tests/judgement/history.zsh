: 1786028812:55;cargo test
: 1786029058:48;make
: 1786029223:3;cargo build
: 1786029241:0;git status
: 1786029286:15;less app.log
: 1786029310:0;git status
: 1786029327:0;ssh staging uptime
: 1786029349:0;ls -la
: 1786029395:0;git status
: 1786029407:3;cargo build
: 1786029473:0;git status
: 1786029478:0;cd ..
: 1786029493:2;git push
: 1786029514:0;git status
: 1786029532:65;vim notes.md
: 1786029655:2;git push
: 1786029662:32;npm install
: 1786029731:0;ls -la
: 1786029759:0;curl -s localhost:8080/health
: 1786029927:24;cargo test
: 1786029991:0;git status
: 1786030013:16;less app.log
: 1786030091:58;cargo test
: 1786030168:4;sleep 5
: 1786030657:0;git status
: 1786030798:3;make
: 1786030846:14;npm test
: 1786030892:0;git status
: 1786030910:3;npm test
: 1786031007:27;vim notes.md
: 1786031051:0;cd ..
: 1786031063:0;ls -la
: 1786031095:74;make
: 1786031260:1;cargo build
: 1786031351:0;cd ..
: 1786031354:27;cargo test
: 1786031462:25;npm test
: 1786031517:1;less app.log
: 1786031553:21;npm test
: 1786031603:2;git pull --rebase
: 1786115208:0;ls -la
: 1786115320:0;cd ..
: 1786115424:59;sleep 60
: 1786115493:53;cargo test
: 1786115648:0;git status
: 1786115691:4;sleep 5
: 1786115706:1;ssh staging uptime
: 1786115722:23;npm test
: 1786115762:20;npm test
: 1786115843:0;ls -la
: 1786115890:0;git status
: 1786115955:18;make
: 1786116038:310;./backup.sh
: 1786116366:0;git status
: 1786116388:0;git status
: 1786116466:20;npm test
: 1786116514:18;npm test
: 1786116536:0;curl -s localhost:8080/health
: 1786116554:129;cargo build
: 1786116730:1;cargo build
: 1786116763:0;git status
: 1786116834:21;npm test
: 1786116876:0;git status
: 1786116905:3;git push
: 1786117129:13;make site
: 1786117241:12;npm test
: 1786117328:0;git status
: 1786117394:0;git status
: 1786117405:60;sleep 60
: 1786117479:0;git status
: 1786117517:0;git status
: 1786117551:1;cargo build
: 1786117565:0;curl -s localhost:8080/health
: 1786117682:0;git status
: 1786117754:0;git status
: 1786117792:0;ls -la
: 1786117857:1;ssh staging uptime
: 1786117870:18;npm test
: 1786118056:13;cargo build
: 1786118252:3;git push
: 1786201624:0;git status
: 1786201683:59;sleep 60
: 1786201760:0;git status
: 1786201763:0;ls -la
: 1786201773:0;cd ..
: 1786201859:0;rg -n TODO src
: 1786201869:0;git status
: 1786201876:0;git status
: 1786201966:0;git status
: 1786202047:20;cargo test
: 1786202245:0;git status
: 1786202284:15;less app.log
: 1786202308:60;sleep 60
: 1786202378:19;npm test
: 1786202423:23;npm test
: 1786202487:60;sleep 60
: 1786202627:0;cd ..
: 1786202664:284;./backup.sh
: 1786203049:4;npm test
: 1786203077:2;cargo build
: 1786203092:16;npm test
: 1786203724:60;sleep 60
: 1786203871:0;git status
: 1786203888:0;cd ..
: 1786203993:0;git status
: 1786204089:64;vim notes.md
: 1786204178:2;git push
: 1786204224:0;cd ..
: 1786204257:5;cargo build
: 1786204313:0;ls -la
: 1786204360:4;npm test
: 1786204380:4;cargo build
: 1786204406:2;npm test
: 1786204557:22;npm test
: 1786204683:0;ls -la
: 1786204687:2;cargo build
: 1786204733:0;git status
: 1786204756:4;git push
: 1786204762:1;git push
: 1786204769:1;cargo build
: 1786288003:24;cargo test
: 1786288060:21;npm test
: 1786288140:2;git pull --rebase
: 1786288149:1;git pull --rebase
: 1786288158:0;git status
: 1786288210:7;git push
: 1786288295:13;npm test
: 1786288351:0;git status
: 1786288367:0;curl -s localhost:8080/health
: 1786288374:32;less app.log
: 1786288523:0;git status
: 1786288538:0;rg -n TODO src
: 1786288543:0;cd ..
: 1786288562:9;make site
: 1786288574:4;cargo build
: 1786288603:1;git pull --rebase
: 1786288687:4;sleep 5
: 1786288810:0;cd ..
: 1786288832:2;git push
: 1786288869:0;cd ..
: 1786288890:0;git status
: 1786288908:0;ls -la
: 1786288946:2;npm test
: 1786288964:0;git status
: 1786288994:63;make
: 1786289129:0;git status
: 1786289141:25;npm test
: 1786289234:377;vim notes.md
: 1786289633:36;npm run build
: 1786289705:2;make
: 1786289741:0;cd ..
: 1786289759:0;git status
: 1786289833:3;npm test
: 1786289914:0;git status
: 1786290034:5;sleep 5
: 1786290072:783;vim notes.md
: 1786290889:0;git status
: 1786290941:113;ssh staging
: 1786291064:27;npm test
: 1786291101:0;git status
: 1786374409:1;git pull --rebase
: 1786374441:0;git status
: 1786374699:0;git status
: 1786374714:0;ls -la
: 1786374812:20;cargo test
: 1786374866:12;npm install
: 1786374943:340;vim notes.md
: 1786375292:0;git status
: 1786375381:0;git status
: 1786375389:22;less app.log
: 1786375537:1;ssh staging uptime
: 1786375587:1;cargo build
: 1786375732:20;npm test
: 1786375781:4;npm test
: 1786375813:4;cargo build
: 1786375832:0;git status
: 1786375851:0;git status
: 1786375904:3;npm test
: 1786375938:0;git status
: 1786376335:21;npm test
: 1786376383:0;git status
: 1786376446:21;npm test
: 1786376487:0;curl -s localhost:8080/health
: 1786376572:21;npm test
: 1786376639:2;git push
: 1786376666:0;rg -n TODO src
: 1786376744:22;cargo test
: 1786376802:0;git status
: 1786376806:0;cd ..
: 1786376814:0;rg -n TODO src
: 1786377038:18;npm test
: 1786377139:0;curl -s localhost:8080/health
: 1786377206:62;cargo build
: 1786377294:0;git status
: 1786377367:0;ls -la
: 1786377378:0;git status
: 1786377396:37;npm run build
: 1786377496:18;npm test
: 1786377642:0;git status
: 1786377749:8;cargo test
: 1786460829:3;cargo build
: 1786460861:0;git status
: 1786460905:24;npm test
: 1786461172:0;rg -n TODO src
: 1786461272:18;npm test
: 1786461302:0;git status
: 1786461394:32;npm run build
: 1786461449:2;git push
: 1786461470:0;git status
: 1786461498:1;cargo build
: 1786461583:2;cargo build
: 1786461623:0;ls -la
: 1786461636:23;npm test
: 1786461694:2;git push
: 1786461709:4;cargo build
: 1786461909:41;make
: 1786461962:0;git status
: 1786461979:31;cargo test
: 1786462033:0;git status
: 1786462046:0;ls -la
: 1786462076:0;git status
: 1786462100:0;ls -la
: 1786462192:15;npm test
: 1786462216:32;npm run build
: 1786462271:67;cargo test
: 1786462417:3;cargo build
: 1786462448:1;git pull --rebase
: 1786462475:0;rg -n TODO src
: 1786462510:6820;vim notes.md
: 1786469348:0;git status
: 1786469354:1;ssh staging uptime
: 1786469424:103;cargo build
: 1786469541:4;npm test
: 1786469573:0;git status
: 1786469666:0;git status
: 1786469700:14;npm test
: 1786469745:0;git status
: 1786469763:0;git status
: 1786469819:0;curl -s localhost:8080/health
: 1786469837:0;git status
: 1786547225:197;vim notes.md
: 1786547435:1;make
: 1786547478:29;npm run build
: 1786547562:1;git push
: 1786547570:0;git status
: 1786547579:313;vim notes.md
: 1786547897:2;git push
: 1786547926:4;cargo build
: 1786547936:17;make site
: 1786547974:0;git status
: 1786548083:0;cd ..
: 1786548152:321;cargo build
: 1786548506:47;cargo test
: 1786548568:15;npm test
: 1786548602:46;cargo test
: 1786548903:4;npm test
: 1786548948:8;less app.log
: 1786548961:0;git status
: 1786549034:3;cargo build
: 1786549149:2;cargo build
: 1786549159:358;vim notes.md
: 1786549570:0;rg -n TODO src
: 1786549633:7;git push
: 1786549665:0;git status
: 1786549684:0;cd ..
: 1786549698:14;make site
: 1786549820:1;git push
: 1786549907:22;npm test
: 1786549951:0;git status
: 1786549982:369;./backup.sh
: 1786550375:0;git status
: 1786550400:0;git status
: 1786550448:0;git status
: 1786550567:22;cargo test
: 1786550606:22;cargo test
: 1786550652:22;npm test
: 1786550682:20;npm test
: 1786550724:0;git status
: 1786550734:3;git pull --rebase
: 1786550752:162;cargo build
: 1786633617:0;git status
: 1786633647:206;vim notes.md
: 1786633960:20;npm test
: 1786634000:0;git status
: 1786634018:1;git pull --rebase
: 1786634059:0;cd ..
: 1786634270:0;rg -n TODO src
: 1786634277:27;cargo test
: 1786634570:0;git status
: 1786634689:60;less app.log
: 1786634786:18;npm test
: 1786634880:0;git status
: 1786634883:34;vim notes.md
: 1786634937:0;git status
: 1786634953:47;less app.log
: 1786635038:0;git status
: 1786635063:4;git push
: 1786635080:32;cargo test
: 1786635118:41;cargo test
: 1786635181:0;git status
: 1786635277:1;git pull --rebase
: 1786635289:35;npm run build
: 1786635479:15;make site
: 1786635515:0;git status
: 1786635576:1;make
: 1786635677:1;git push
: 1786635714:0;ls -la
: 1786635783:0;git status
: 1786635789:3;less app.log
: 1786635809:4;npm test
: 1786635873:0;git status
: 1786635885:0;git status
: 1786635917:0;git status
: 1786636015:0;git status
: 1786636070:1391;vim notes.md
: 1786637613:2;git pull --rebase
: 1786637686:0;git status
: 1786637738:0;git status
: 1786637755:2;git push
: 1786637775:21;npm test
: 1786720093:0;git status
: 1786720138:2;git push
: 1786720148:8;npm run build
: 1786720213:0;git status
: 1786720280:0;git status
: 1786720294:27;npm run build
: 1786720345:345;./backup.sh
: 1786720811:4;npm install
: 1786720846:0;cd ..
: 1786721035:0;git status
: 1786721076:0;git status
: 1786721119:0;git status
: 1786721141:0;curl -s localhost:8080/health
: 1786721201:2;git pull --rebase
: 1786721353:41;make
: 1786721453:0;git status
: 1786721491:60;cargo test
: 1786721605:25;npm test
: 1786721669:0;git status
: 1786721701:0;git status
: 1786721713:21;npm test
: 1786721794:5;npm test
: 1786721812:0;git status
: 1786721816:0;rg -n TODO src
: 1786721825:5;npm install
: 1786721963:0;curl -s localhost:8080/health
: 1786721984:1107;docker compose up
: 1786723118:0;git status
: 1786723297:59;sleep 60
: 1786723370:2;git push
: 1786723465:0;git status
: 1786723523:13;npm test
: 1786723551:0;cd ..
: 1786723607:2;make
: 1786723623:4;npm test
: 1786723704:0;git status
: 1786723715:0;ls -la
: 1786723731:3;cargo build
: 1786723751:4;sleep 5
: 1786723767:4;cargo build
: 1786806407:0;curl -s localhost:8080/health
: 1786806441:2;git pull --rebase
: 1786806466:2;git pull --rebase
: 1786806476:21;npm test
: 1786806590:0;git status
: 1786806595:1;git push
: 1786806650:0;git status
: 1786806662:134;ssh staging
: 1786806836:14;make site
: 1786806919:0;git status
: 1786806943:0;ssh staging uptime
: 1786806970:22;npm test
: 1786807126:3;git push
: 1786807156:332;./backup.sh
: 1786807497:19;npm test
: 1786807535:0;git status
: 1786807645:0;git status
: 1786807678:61;npm install
: 1786807878:0;curl -s localhost:8080/health
: 1786807920:0;git status
: 1786807958:0;git status
: 1786808007:2;cargo build
: 1786808026:5;npm test
: 1786808057:1;cargo build
: 1786808106:0;git status
: 1786808429:29;npm test
: 1786808485:0;git status
: 1786808498:28;npm test
: 1786808575:0;ls -la
: 1786808619:0;git status
: 1786808685:21;cargo test
: 1786808723:0;git status
: 1786808741:0;git status
: 1786808776:4;npm test
: 1786808866:40;make
: 1786808959:1;git pull --rebase
: 1786809007:0;git status
: 1786809033:19;vim notes.md
: 1786809068:0;curl -s localhost:8080/health
: 1786809094:3;git push
: 1786892855:3;npm test
: 1786892886:0;rg -n TODO src
: 1786892969:0;curl -s localhost:8080/health
: 1786893007:36;cargo test
: 1786893068:0;cd ..
: 1786893090:25;npm test
: 1786893189:3;npm test
: 1786893307:28;npm test
: 1786893409:0;git status
: 1786893431:0;cd ..
: 1786893475:23;npm test
: 1786893530:0;rg -n TODO src
: 1786893544:0;git status
: 1786893956:0;git status
: 1786893963:3;npm test
: 1786894062:48;npm install
: 1786894164:0;ls -la
: 1786894219:0;git status
: 1786894233:0;git status
: 1786894255:1;cargo build
: 1786894295:0;git status
: 1786894311:23;cargo test
: 1786894424:34;npm run build
: 1786894485:1;ssh staging uptime
: 1786894513:61;make
: 1786894593:3;git push
: 1786894637:0;git status
: 1786894705:0;git status
: 1786894744:0;git status
: 1786894797:0;ls -la
: 1786894938:0;cd ..
: 1786894980:1;git pull --rebase
: 1786894992:0;git status
: 1786895082:0;ls -la
: 1786895197:12;make
: 1786895304:0;git status
: 1786895324:0;rg -n TODO src
: 1786895335:60;sleep 60
: 1786895426:0;git status
: 1786895449:12;make site
: 1786979291:0;git status
: 1786979306:0;git status
: 1786979350:0;git status
: 1786979399:8;npm run build
: 1786979445:29;npm run build
: 1786979508:0;git status
: 1786979529:0;git status
: 1786979697:0;git status
: 1786979720:0;git status
: 1786979744:0;git status
: 1786979925:4;npm test
: 1786979997:0;git status
: 1786980008:29;npm test
: 1786980081:0;git status
: 1786980202:0;ls -la
: 1786980248:23;npm test
: 1786980334:4;sleep 5
: 1786980406:2468;docker compose up
: 1786982888:37;cargo test
: 1786982930:12;npm test
: 1786983058:17;npm test
: 1786983101:238;vim notes.md
: 1786983409:16;cargo test
: 1786983438:3;git push
: 1786983604:11;make site
: 1786983621:0;git status
: 1786983645:4;less app.log
: 1786983716:27;npm test
: 1786983773:19;npm test
: 1786983820:4;sleep 5
: 1786983828:2;npm test
: 1786983990:0;git status
: 1786984086:0;ls -la
: 1786984171:0;git status
: 1786984233:31;npm run build
: 1786984305:0;rg -n TODO src
: 1786984340:0;git status
: 1786984352:0;git status
: 1786984363:578;vim notes.md
: 1786985029:2;git pull --rebase
: 1787065610:0;ls -la
: 1787065629:0;git status
: 1787065717:0;curl -s localhost:8080/health
: 1787065745:24;npm test
: 1787065810:16;npm install
: 1787066055:0;cd ..
: 1787066085:14;make
: 1787066474:0;git status
: 1787066621:53;cargo test
: 1787066765:0;git status
: 1787066808:314;./backup.sh
: 1787067138:0;cd ..
: 1787067152:60;sleep 60
: 1787067217:0;git status
: 1787067256:467;ssh staging
: 1787067768:0;git status
: 1787067825:319;./backup.sh
: 1787068179:0;git status
: 1787068197:2;make
: 1787068221:68;make
: 1787068309:55;vim notes.md
: 1787068373:0;ssh staging uptime
: 1787068438:2;git pull --rebase
: 1787068531:23;cargo test
: 1787068623:0;git status
: 1787068651:3;npm test
: 1787068687:13;make site
: 1787068850:0;git status
: 1787068855:400;vim notes.md
: 1787069356:0;git status
: 1787069410:0;rg -n TODO src
: 1787069427:0;git status
: 1787069438:13;cargo test
: 1787069505:1;git push
: 1787069512:16;npm test
: 1787069622:0;cd ..
: 1787069825:1;cargo test
: 1787069864:20;less app.log
: 1787070224:1;git push
: 1787070235:0;git status
: 1787152002:34;npm run build
: 1787152091:72;less app.log
: 1787152187:34;npm run build
: 1787152254:0;git status
: 1787152265:40;cargo test
: 1787152339:3;git push
: 1787152363:32;cargo test
: 1787152415:0;git status
: 1787152455:0;git status
: 1787152472:0;git status
: 1787152507:23;npm test
: 1787152545:0;git status
: 1787152757:1;ssh staging uptime
: 1787152763:75;make
: 1787152859:0;git status
: 1787152941:301;vim notes.md
: 1787153257:336;./backup.sh
: 1787153618:33;npm run build
: 1787153902:0;git status
: 1787153919:40;npm install
: 1787154009:20;npm test
: 1787154037:59;sleep 60
: 1787154100:4;less app.log
: 1787154138:29;make
: 1787154186:0;git status
: 1787154205:0;git status
: 1787154247:24;make
: 1787154324:0;cd ..
: 1787154374:0;git status
: 1787154399:20;npm test
: 1787154591:18;make site
: 1787154701:0;git status
: 1787154706:0;git status
: 1787154781:4;npm test
: 1787154856:70;make
: 1787155022:1;make
: 1787155028:0;ls -la
: 1787155049:0;ls -la
: 1787155082:0;cargo build
: 1787155116:0;cd ..
: 1787238413:219;docker compose up
: 1787238640:2;cargo build
: 1787238659:0;git status
: 1787238691:49;make
: 1787238769:4;npm test
: 1787238778:0;git status
: 1787238795:37;npm run build
: 1787238965:3;git push
: 1787239055:0;ls -la
: 1787239059:0;cd ..
: 1787239094:1;ssh staging uptime
: 1787239120:3;npm test
: 1787239144:1;git push
: 1787239189:9;cargo build
: 1787239246:2;make
: 1787239320:0;git status
: 1787239342:22;npm test
: 1787239428:128;pip install -r requirements.txt
: 1787239578:20;npm test
: 1787239755:1;ssh staging uptime
: 1787239834:0;git status
: 1787239966:4;sleep 5
: 1787239979:27;cargo test
: 1787240018:3;git pull --rebase
: 1787240050:0;git status
: 1787240064:0;git status
: 1787240082:0;git status
: 1787240088:24;npm test
: 1787240252:0;git status
: 1787240276:0;git status
: 1787240322:0;git status
: 1787240363:3;git push
: 1787240438:10;less app.log
: 1787240576:0;ls -la
: 1787240602:30;npm test
: 1787240738:0;git status
: 1787240829:7;cargo build
: 1787240874:59;sleep 60
: 1787241044:0;git status
: 1787241083:31;npm run build
: 1787324841:19;cargo test
: 1787325194:16;npm test
: 1787325256:0;git status
: 1787325278:3;cargo build
: 1787325293:1;cargo build
: 1787325327:1;git pull --rebase
: 1787325370:0;git status
: 1787325375:1;git push
: 1787325396:315;./backup.sh
: 1787325731:2;git push
: 1787325760:0;cd ..
: 1787325794:60;cargo build
: 1787325898:0;cd ..
: 1787325916:0;ls -la
: 1787325976:0;git status
: 1787325989:0;git status
: 1787326060:0;cd ..
: 1787326205:0;ls -la
: 1787326223:11;make site
: 1787326299:0;cd ..
: 1787326312:0;git status
: 1787326445:0;git status
: 1787326455:0;rg -n TODO src
: 1787326476:0;curl -s localhost:8080/health
: 1787326528:3;npm test
: 1787326555:0;git status
: 1787326689:0;ls -la
: 1787326699:0;ls -la
: 1787326728:0;git status
: 1787326745:20;cargo test
: 1787326873:62;cargo build
: 1787327111:0;git status
: 1787327133:0;git status
: 1787327145:0;rg -n TODO src
: 1787327240:0;git status
: 1787327259:0;git status
: 1787327320:0;curl -s localhost:8080/health
: 1787327326:21;npm test
: 1787327358:12;npm run build
: 1787327380:24;npm test
: 1787411253:39;npm run build
: 1787411314:0;git status
: 1787411335:5;sleep 5
: 1787411352:18;make
: 1787411439:2;git push
: 1787411450:0;git status
: 1787411469:38;cargo test
: 1787411548:0;rg -n TODO src
: 1787411562:14;npm test
: 1787411589:43;vim notes.md
: 1787411651:630;vim notes.md
: 1787412377:0;cd ..
: 1787412426:0;git status
: 1787412579:0;git status
: 1787412632:0;git status
: 1787412667:1;ssh staging uptime
: 1787412767:0;git status
: 1787412795:0;ls -la
: 1787412902:0;git status
: 1787413031:811;vim notes.md
: 1787413944:0;git status
: 1787413951:0;ls -la
: 1787413992:88;vim notes.md
: 1787414320:1;git push
: 1787414345:25;npm run build
: 1787414410:4;npm test
: 1787414535:31;cargo test
: 1787414586:0;curl -s localhost:8080/health
: 1787414622:31;npm run build
: 1787414661:0;curl -s localhost:8080/health
: 1787414684:2;git push
: 1787414727:0;ls -la
: 1787414814:0;rg -n TODO src
: 1787414836:0;git status
: 1787414868:0;ls -la
: 1787414884:9;cargo build
: 1787415036:17;make
: 1787415176:5;cargo build
: 1787415204:27;cargo build
: 1787415261:86;vim notes.md
: 1787497607:126;vim notes.md
: 1787497807:55;cargo test
: 1787497949:23;make
: 1787497981:2;npm test
: 1787498025:0;curl -s localhost:8080/health
: 1787498082:30;npm run build
: 1787498146:4;npm test
: 1787498187:3;npm test
: 1787498211:0;git status
: 1787498241:0;ls -la
: 1787498314:0;rg -n TODO src
: 1787498393:0;git status
: 1787498444:3;npm test
: 1787498659:0;curl -s localhost:8080/health
: 1787498811:0;curl -s localhost:8080/health
: 1787498819:0;ls -la
: 1787498869:1;cargo build
: 1787498918:0;git status
: 1787498945:29;npm test
: 1787498999:0;git status
: 1787499068:0;git status
: 1787499085:44;npm run build
: 1787499295:110;ssh staging
: 1787499526:2;git pull --rebase
: 1787499547:1;make
: 1787499565:27;npm test
: 1787499671:22;npm test
: 1787499710:0;git status
: 1787499734:0;git status
: 1787499754:3;git push
: 1787499762:2;git pull --rebase
: 1787499838:17;cargo test
: 1787499862:0;git status
: 1787499932:0;git status
: 1787500002:0;git status
: 1787500016:0;git status
: 1787500027:0;git status
: 1787500087:85;pip install -r requirements.txt
: 1787500180:27;cargo test
: 1787500245:3;npm test
: 1787584156:5177;docker compose up
: 1787589399:0;git status
: 1787589457:1;git pull --rebase
: 1787589525:1;make
: 1787589530:0;git status
: 1787589596:14;npm test
: 1787589618:0;git status
: 1787589628:4;npm test
: 1787589638:0;ls -la
: 1787589641:0;curl -s localhost:8080/health
: 1787589658:15;ssh staging
: 1787589686:0;git status
: 1787589703:0;ls -la
: 1787589819:17;npm test
: 1787589865:27;npm test
: 1787589897:0;cd ..
: 1787589935:2;cargo build
: 1787589988:0;ls -la
: 1787590116:17;pip install -r requirements.txt
: 1787590142:0;git status
: 1787590164:14;npm test
: 1787590378:0;git status
: 1787590387:47;make
: 1787590437:4;pip install -r requirements.txt
: 1787590460:288;./backup.sh
: 1787590824:0;curl -s localhost:8080/health
: 1787590858:5;npm test
: 1787590874:4;npm test
: 1787590891:0;git status
: 1787590933:0;git status
: 1787590961:4;sleep 5
: 1787590999:0;git status
: 1787591008:3;cargo build
: 1787591301:0;ls -la
: 1787591343:38;npm run build
: 1787591424:0;git status
: 1787591487:2;git push
: 1787591692:0;ls -la
: 1787591714:32;npm run build
: 1787591780:22;npm test
: 1787670424:18;npm test
: 1787670531:19;npm test
: 1787670564:2;make
: 1787670706:12;make site
: 1787670766:61;vim notes.md
: 1787670986:3152;ssh staging
: 1787674157:26;npm test
: 1787674223:15;make site
: 1787674251:57;cargo test
: 1787674387:0;git status
: 1787674393:3;npm test
: 1787674413:22;npm test
: 1787674521:17;make site
: 1787674558:0;git status
: 1787674590:0;git status
: 1787674594:0;ls -la
: 1787674631:0;ssh staging uptime
: 1787674648:16;npm test
: 1787674676:0;git status
: 1787674688:44;make
: 1787674770:7;make site
: 1787674842:0;rg -n TODO src
: 1787674882:0;git status
: 1787674909:1;git push
: 1787674949:0;rg -n TODO src
: 1787675049:0;git status
: 1787675088:0;rg -n TODO src
: 1787675127:0;git status
: 1787675250:2;git push
: 1787675275:0;git status
: 1787675296:1736;docker compose up
: 1787677572:2788;ssh staging
: 1787680366:0;git status
: 1787680385:17;npm test
: 1787680413:0;git status
: 1787680438:11;make site
: 1787680462:1;ssh staging uptime
: 1787680492:24;npm test
: 1787680525:0;git status
: 1787680559:0;git status
: 1787756815:40;make
: 1787756946:0;ls -la
: 1787756970:1;git push
: 1787757059:0;curl -s localhost:8080/health
: 1787757070:0;git status
: 1787757211:36;cargo test
: 1787757281:4;npm test
: 1787757349:0;git status
: 1787757372:67;cargo build
: 1787757444:33;npm run build
: 1787757483:2;git push
: 1787757711:0;cd ..
: 1787757728:28;npm run build
: 1787757795:0;ls -la
: 1787757832:223;vim notes.md
: 1787758088:2;git pull --rebase
: 1787758110:21;ssh staging
: 1787758158:0;git status
: 1787758197:3;git push
: 1787758271:34;cargo test
: 1787758449:197;cargo build
: 1787758786:46;cargo test
: 1787758873:0;cd ..
: 1787758891:25;npm test
: 1787758959:0;git status
: 1787758980:26;cargo test
: 1787759034:26;npm test
: 1787759078:0;rg -n TODO src
: 1787759087:21;npm test
: 1787759140:0;git status
: 1787759229:0;git status
: 1787759253:0;git status
: 1787759264:4;git push
: 1787759341:0;git status
: 1787759352:0;ls -la
: 1787759365:265;vim notes.md
: 1787759644:49;cargo test
: 1787759716:0;rg -n TODO src
: 1787759763:0;curl -s localhost:8080/health
: 1787759837:0;curl -s localhost:8080/health
: 1787843294:23;npm test
: 1787843332:4;git push
: 1787843345:24;npm test
: 1787843396:0;git status
: 1787843438:0;git status
: 1787843470:4;npm test
: 1787843579:0;git status
: 1787843677:0;git status
: 1787843718:0;git status
: 1787843859:1;make
: 1787843902:15;npm test
: 1787843966:0;git pull --rebase
: 1787844015:0;ls -la
: 1787844112:1;less app.log
: 1787844123:9;make site
: 1787844139:5;sleep 5
: 1787844173:0;less app.log
: 1787844190:0;git status
: 1787844213:26;npm test
: 1787844321:21;npm test
: 1787844378:20;pip install -r requirements.txt
: 1787844437:14;cargo test
: 1787844475:3;cargo build
: 1787844483:0;git status
: 1787844573:2;git pull --rebase
: 1787844602:0;git status
: 1787844618:0;git status
: 1787844743:0;git status
: 1787844748:0;git status
: 1787844818:0;git status
: 1787844837:5;git push
: 1787844848:0;git status
: 1787844946:17;npm test
: 1787844971:0;git status
: 1787844990:20;docker compose up
: 1787845256:3;git pull --rebase
: 1787845278:1;cargo build
: 1787845347:0;git status
: 1787845572:0;git status
: 1787845619:0;ls -la
: 1787929630:62;cargo test
: 1787929708:101;pip install -r requirements.txt
: 1787929860:4;cargo build
: 1787929868:0;git status
: 1787929895:3;cargo build
: 1787929959:10;make site
: 1787930042:0;git status
: 1787930073:13;make site
: 1787930114:0;git status
: 1787930138:253;cargo build
: 1787930407:0;curl -s localhost:8080/health
: 1787930413:39;npm run build
: 1787930463:0;cd ..
: 1787930485:1;git pull --rebase
: 1787930505:0;git status
: 1787930527:0;rg -n TODO src
: 1787930587:0;git status
: 1787930600:62;cargo build
: 1787930740:5;cargo build
: 1787930763:0;git status
: 1787930860:0;git status
: 1787930879:0;cd ..
: 1787930927:39;cargo test
: 1787930998:4;git push
: 1787931023:0;curl -s localhost:8080/health
: 1787931057:0;git status
: 1787931120:3;cargo build
: 1787931491:3;npm test
: 1787931509:0;ls -la
: 1787931690:0;ls -la
: 1787931771:0;git status
: 1787931831:3;git pull --rebase
: 1787931899:0;ls -la
: 1787931952:0;ls -la
: 1787932014:0;ls -la
: 1787932169:0;ls -la
: 1787932209:0;ls -la
: 1787932247:12;cargo test
: 1787932383:17;less app.log
: 1787932428:0;git status
: 1788016053:0;cd ..
: 1788016075:0;git status
: 1788016113:15;npm test
: 1788016140:99;vim notes.md
: 1788016265:1;git pull --rebase
: 1788016272:0;git status
: 1788016298:27;npm run build
: 1788016353:12;less app.log
: 1788016389:28;npm test
: 1788016491:28;ssh staging
: 1788016632:34;cargo test
: 1788016710:0;git status
: 1788017016:0;git status
: 1788017140:0;git status
: 1788017199:0;git status
: 1788017216:0;cd ..
: 1788017338:35;npm run build
: 1788017396:239;cargo build
: 1788017759:5;npm test
: 1788017768:12;make site
: 1788017852:0;ls -la
: 1788018306:64;cargo build
: 1788018427:0;ls -la
: 1788018438:8;make site
: 1788018452:2;cargo build
: 1788018501:0;git status
: 1788018520:25;npm test
: 1788018602:0;git status
: 1788018620:0;curl -s localhost:8080/health
: 1788018649:1;ssh staging uptime
: 1788018664:0;git status
: 1788018785:5;sleep 5
: 1788018950:0;git status
: 1788019004:0;git status
: 1788019050:70;cargo build
: 1788019130:25;npm test
: 1788019165:3;npm test
: 1788019199:41;cargo test
: 1788019271:20;npm test
: 1788019308:0;git status
: 1788102472:29;npm test
: 1788102779:730;vim notes.md
: 1788103614:0;rg -n TODO src
: 1788103660:0;git status
: 1788103720:24;npm test
: 1788103749:0;ls -la
: 1788103967:0;git status
: 1788104063:0;git status
: 1788104158:1;less app.log
: 1788104173:30;npm run build
: 1788104268:1;git push
: 1788104288:4;npm test
: 1788104318:0;ls -la
: 1788104348:0;git status
: 1788104416:25;npm test
: 1788104474:24;npm test
: 1788104526:35;npm run build
: 1788104594:35;npm test
: 1788104639:0;ls -la
: 1788104720:14;pip install -r requirements.txt
: 1788104755:1;git push
: 1788104772:19;npm test
: 1788104956:519;ssh staging
: 1788105481:0;git status
: 1788105491:2;cargo build
: 1788105504:5;sleep 5
: 1788105633:17;npm test
: 1788105694:5;cargo build
: 1788105758:0;git status
: 1788105801:4;npm test
: 1788105809:36;make
: 1788105891:19;npm test
: 1788105948:77;make
: 1788106091:0;git status
: 1788106208:6;npm install
: 1788106278:34;npm run build
: 1788106338:49;make
: 1788106459:103;cargo build
: 1788106574:0;git status
: 1788106592:0;git status
: 1788188810:0;git status
: 1788188853:0;git status
: 1788188861:1;git pull --rebase
: 1788188934:0;rg -n TODO src
: 1788188944:16;cargo test
: 1788188972:4;npm install
: 1788188989:0;git status
: 1788189007:1;git pull --rebase
: 1788189029:0;git status
: 1788189050:3;npm test
: 1788189092:0;cd ..
: 1788189118:28;npm test
: 1788189151:95;npm run build
: 1788189293:0;curl -s localhost:8080/health
: 1788189312:0;git status
: 1788189419:0;git status
: 1788189618:0;curl -s localhost:8080/health
: 1788189627:0;git status
: 1788189687:3;npm test
: 1788189744:0;git status
: 1788189765:0;git status
: 1788189791:0;git status
: 1788189875:0;ls -la
: 1788189907:419;less app.log
: 1788190522:0;rg -n TODO src
: 1788190549:0;ls -la
: 1788190571:0;rg -n TODO src
: 1788190586:21;npm test
: 1788190626:0;git status
: 1788190680:0;git status
: 1788190786:0;git status
: 1788190849:1;git pull --rebase
: 1788191101:2;git pull --rebase
: 1788191113:42;cargo test
: 1788191195:14;npm test
: 1788191244:0;git status
: 1788191310:51;npm install
: 1788191370:76;npm run build
: 1788191462:0;ls -la
: 1788191536:22;npm test
: 1788275257:82;docker compose up
: 1788275434:67;docker compose up
: 1788275509:0;git status
: 1788275529:21;cargo test
: 1788275555:38;vim notes.md
: 1788275769:12;make site
: 1788275795:0;git status
: 1788275815:5;sleep 5
: 1788275856:21;npm test
: 1788276260:106;npm run build
: 1788276397:0;curl -s localhost:8080/health
: 1788276451:2;git push
: 1788276574:82;npm run build
: 1788276674:0;rg -n TODO src
: 1788276695:0;git status
: 1788276742:0;git status
: 1788276819:0;git status
: 1788276850:35;npm test
: 1788276897:28;npm test
: 1788277014:0;cd ..
: 1788277118:0;ls -la
: 1788277277:89;npm run build
: 1788277382:824;ssh staging
: 1788278269:1;git pull --rebase
: 1788278285:18;cargo test
: 1788278393:0;git status
: 1788278442:54;make
: 1788278504:4;npm test
: 1788278531:2;cargo build
: 1788278587:0;curl -s localhost:8080/health
: 1788278589:48;cargo test
: 1788278646:0;git status
: 1788278666:103;npm run build
: 1788280183:4;git pull --rebase
: 1788280217:101;cargo build
: 1788280383:0;git status
: 1788280520:22;make
: 1788280586:2;git push
: 1788280611:26;npm run build
: 1788281143:61;cargo test
: 1788361604:22;cargo test
: 1788361652:1;git pull --rebase
: 1788361727:0;git status
: 1788361730:50;cargo test
: 1788361788:0;curl -s localhost:8080/health
: 1788361798:82;npm run build
: 1788361905:676;docker compose up
: 1788362588:0;git status
: 1788362607:44;make
: 1788362703:0;ls -la
: 1788362713:5593;vim notes.md
: 1788368349:0;git status
: 1788368370:2;git push
: 1788368454:111;vim notes.md
: 1788368572:2;npm test
: 1788368585:79;npm run build
: 1788368711:0;git status
: 1788368752:12;pip install -r requirements.txt
: 1788368858:2;git pull --rebase
: 1788368876:3;npm test
: 1788368926:761;vim notes.md
: 1788369698:0;cd ..
: 1788369709:1;ssh staging uptime
: 1788369761:27;npm test
: 1788369881:16;npm test
: 1788369952:15;npm test
: 1788369986:13;make site
: 1788370009:12;make site
: 1788370122:4;npm test
: 1788370172:0;git status
: 1788370219:30;npm test
: 1788370270:0;git status
: 1788370308:21;make
: 1788370338:13;make site
: 1788370367:63;cargo build
: 1788370443:2;git pull --rebase
: 1788370525:0;ls -la
: 1788370591:24;npm test
: 1788371134:70;docker compose up
: 1788371215:2;cargo build
: 1788448022:720;docker compose up
: 1788448777:5;sleep 5
: 1788448790:48;make
: 1788448845:13;make site
: 1788448866:4;npm test
: 1788448888:3;npm test
: 1788448897:0;ls -la
: 1788448950:6;cargo build
: 1788448987:3;npm test
: 1788449009:106;cargo build
: 1788449169:28;npm test
: 1788449265:0;git push
: 1788449296:25;npm test
: 1788449393:0;ls -la
: 1788449403:1;git push
: 1788449441:0;git status
: 1788449463:0;curl -s localhost:8080/health
: 1788449474:10;make site
: 1788449538:0;git status
: 1788449544:1;git pull --rebase
: 1788449590:60;sleep 60
: 1788449698:0;git status
: 1788449743:21;make
: 1788449869:0;git status
: 1788449911:0;git status
: 1788449927:20;make
: 1788449966:0;ls -la
: 1788449998:0;git status
: 1788450026:2;git pull --rebase
: 1788450071:0;git status
: 1788450162:95;vim notes.md
: 1788450362:23;cargo test
: 1788450441:282;ssh staging
: 1788450732:28;npm test
: 1788450804:1;git push
: 1788450846:18;npm test
: 1788450956:0;git status
: 1788451008:1;cargo build
: 1788451049:2;git push
: 1788451074:0;git status
: 1788534460:0;git status
: 1788534470:0;git status
: 1788534479:1;git push
: 1788534491:0;git status
: 1788534545:10;make site
: 1788534564:106;ssh staging
: 1788534767:17;cargo test
: 1788534786:32;cargo test
: 1788534836:59;sleep 60
: 1788534901:7;npm test
: 1788534966:3;cargo build
: 1788535161:3;git pull --rebase
: 1788535178:295;./backup.sh
: 1788535522:0;ls -la
: 1788535540:1;make
: 1788535588:0;git status
: 1788535648:67;npm run build
: 1788535724:16;make
: 1788535884:63;make
: 1788536070:0;rg -n TODO src
: 1788536095:2;git push
: 1788536130:5;git push
: 1788536141:0;git status
: 1788536161:1;cargo build
: 1788536239:59;sleep 60
: 1788536405:33;npm test
: 1788536492:6;cargo build
: 1788536560:0;git status
: 1788536564:50;less app.log
: 1788536639:0;git status
: 1788536657:0;git status
: 1788536667:0;curl -s localhost:8080/health
: 1788536692:0;rg -n TODO src
: 1788536704:2;git push
: 1788536725:0;git status
: 1788536731:2;npm test
: 1788536799:0;git status
: 1788536854:0;cd ..
: 1788536900:31;npm test
: 1788536953:26;npm test
: 1788620819:2;git push
: 1788620842:4;npm test
: 1788620885:267;vim notes.md
: 1788621199:0;curl -s localhost:8080/health
: 1788621220:0;ls -la
: 1788621249:3;cargo build
: 1788621330:0;git status
: 1788621454:2;git push
: 1788621564:0;ls -la
: 1788621608:16;npm test
: 1788621685:7;npm install
: 1788621868:0;cd ..
: 1788621874:2;git push
: 1788621905:0;cargo build
: 1788621937:0;curl -s localhost:8080/health
: 1788621963:0;git status
: 1788621968:0;git status
: 1788621985:0;ls -la
: 1788622130:0;git status
: 1788622170:5;less app.log
: 1788622193:3;npm test
: 1788622223:0;git status
: 1788622254:6;npm test
: 1788622276:0;ls -la
: 1788622290:0;git status
: 1788622298:37;vim notes.md
: 1788622435:28;npm test
: 1788622486:11;make site
: 1788622532:0;git status
: 1788622610:1142;vim notes.md
: 1788623758:3;npm test
: 1788623908:22;npm test
: 1788624006:1;cargo build
: 1788624200:4;less app.log
: 1788624247:0;rg -n TODO src
: 1788624330:16;vim notes.md
: 1788624358:6;cargo build
: 1788624415:27;less app.log
: 1788624459:87;npm run build
: 1788624591:9174;docker compose up
: 1788707441:0;ls -la
: 1788707481:23;npm test
: 1788707629:59;sleep 60
: 1788707701:0;git status
: 1788707758:21;npm test
: 1788707788:755;docker compose up
: 1788708599:2;cargo build
: 1788708702:0;git status
: 1788708721:23;npm test
: 1788708941:0;git status
: 1788708961:0;git status
: 1788709300:0;ls -la
: 1788709364:58;make
: 1788709433:0;rg -n TODO src
: 1788709529:9;vim notes.md
: 1788709593:0;git status
: 1788709629:0;rg -n TODO src
: 1788709979:0;git status
: 1788710002:33;npm test
: 1788710105:4;cargo build
: 1788710226:31;npm test
: 1788710275:1;git push
: 1788710416:0;git status
: 1788710437:0;cd ..
: 1788710512:663;docker compose up
: 1788711195:1;git push
: 1788711204:3;npm test
: 1788711301:0;git status
: 1788711362:570;vim notes.md
: 1788711934:0;git status
: 1788711977:18;cargo test
: 1788712014:0;ls -la
: 1788712139:0;cd ..
: 1788712140:8;npm install
: 1788712266:1;cargo build
: 1788712274:848;vim notes.md
: 1788713194:0;git status
: 1788713274:0;ls -la
: 1788713354:0;curl -s localhost:8080/health
: 1788713565:60;sleep 60
: 1788793623:0;ls -la
: 1788793698:8;pip install -r requirements.txt
: 1788793713:2;git push
: 1788793834:0;ls -la
: 1788793935:0;rg -n TODO src
: 1788793944:0;rg -n TODO src
: 1788793960:0;ls -la
: 1788793975:0;git push
: 1788794069:0;git status
: 1788794123:62;cargo test
: 1788794568:8;cargo test
: 1788794623:0;git status
: 1788794668:0;git status
: 1788794800:110;vim notes.md
: 1788795035:29;npm test
: 1788795085:0;git status
: 1788795108:0;git status
: 1788795117:0;git status
: 1788795132:23;npm test
: 1788795203:4;git push
: 1788795252:11;make site
: 1788795382:0;ls -la
: 1788795395:0;git status
: 1788795405:5;npm install
: 1788795417:33;npm test
: 1788795512:0;git status
: 1788795520:3;npm test
: 1788795528:2;git push
: 1788795547:14;make site
: 1788795589:0;ls -la
: 1788795675:32;npm test
: 1788795841:0;git status
: 1788795859:0;rg -n TODO src
: 1788795881:3;git push
: 1788796053:108;npm run build
: 1788796208:0;git status
: 1788796214:0;ls -la
: 1788796280:0;ls -la
: 1788796305:25;npm test
: 1788796361:25;npm test
: 1788880069:317;vim notes.md
: 1788880458:13;make site
: 1788880521:238;vim notes.md
: 1788880778:0;git status
: 1788880870:0;git status
: 1788880891:0;git status
: 1788880903:98;cargo build
: 1788881025:0;git status
: 1788881076:6;cargo build
: 1788881093:0;git status
: 1788881113:3;cargo build
: 1788881142:0;cd ..
: 1788881202:17;npm test
: 1788881271:0;curl -s localhost:8080/health
: 1788881301:0;git status
: 1788881311:27;npm test
: 1788881366:0;git status
: 1788881370:56;cargo test
: 1788881511:0;curl -s localhost:8080/health
: 1788881632:2468;docker compose up
: 1788884180:0;ls -la
: 1788884205:0;git status
: 1788884257:0;git status
: 1788884280:99;npm run build
: 1788884417:0;git status
: 1788884501:0;git status
: 1788884605:0;git status
: 1788884630:60;sleep 60
: 1788884726:25;pip install -r requirements.txt
: 1788884756:3;npm test
: 1788884811:12;npm install
: 1788884841:864;vim notes.md
: 1788885829:0;git status
: 1788885887:4;npm test
: 1788885953:62;ssh staging
: 1788886020:2;git push
: 1788886039:2;cargo build
: 1788886053:2;git pull --rebase
: 1788886112:0;git status
: 1788886264:0;ls -la
: 1788966447:2;git push
: 1788966480:0;ls -la
: 1788966483:0;git status
: 1788966537:0;ls -la
: 1788966547:50;cargo test
: 1788966644:76;npm run build
: 1788966754:0;git status
: 1788966814:0;rg -n TODO src
: 1788966835:0;curl -s localhost:8080/health
: 1788966845:95;npm run build
: 1788966956:0;git status
: 1788966979:23;cargo test
: 1788967035:69;ssh staging
: 1788967293:3;git push
: 1788967407:8;pip install -r requirements.txt
: 1788967430:191;ssh staging
: 1788967655:4;npm test
: 1788968297:0;git status
: 1788968314:18;npm install
: 1788968342:2;git push
: 1788968412:310;./backup.sh
: 1788968740:0;git status
: 1788968830:5;sleep 5
: 1788968889:0;rg -n TODO src
: 1788968909:0;curl -s localhost:8080/health
: 1788969055:24;npm test
: 1788969095:45;cargo test
: 1788969336:33;npm test
: 1788969387:245;less app.log
: 1788969663:0;git status
: 1788969723:0;git status
: 1788969818:0;git status
: 1788969849:60;sleep 60
: 1788969932:2;cargo build
: 1788970023:10;make site
: 1788970078:0;cd ..
: 1788970106:0;ls -la
: 1788970127:0;git status
: 1788970241:23;less app.log
: 1788970317:104;vim notes.md
: 1789052834:46;make
: 1789052898:0;cd ..
: 1789053016:52;ssh staging
: 1789053125:82;cargo build
: 1789053226:0;git status
: 1789053295:94;cargo build
: 1789053397:37;make
: 1789053452:0;git status
: 1789053481:0;git status
: 1789053534:0;ls -la
: 1789053549:0;git status
: 1789053606:0;rg -n TODO src
: 1789053614:1;ssh staging uptime
: 1789053804:0;ls -la
: 1789053842:15;make site
: 1789054035:0;curl -s localhost:8080/health
: 1789054086:1;cargo build
: 1789054193:23;npm test
: 1789054267:5;sleep 5
: 1789054337:0;curl -s localhost:8080/health
: 1789054358:0;curl -s localhost:8080/health
: 1789054422:18;npm test
: 1789054538:0;git status
: 1789054549:2;ssh staging uptime
: 1789054637:31;npm test
: 1789054702:2;git push
: 1789054740:0;ls -la
: 1789054899:0;git status
: 1789055039:0;ls -la
: 1789055056:35;cargo test
: 1789055106:1;git push
: 1789055129:0;git status
: 1789055145:15;make site
: 1789055221:30;npm test
: 1789055272:0;git status
: 1789055437:13;make site
: 1789055462:0;git status
: 1789055521:0;git status
: 1789055536:2;git push
: 1789055654:87;vim notes.md
: 1789139234:0;ls -la
: 1789139418:17;npm test
: 1789139464:114;npm run build
: 1789139597:8;less app.log
: 1789139650:5;cargo build
: 1789139823:0;curl -s localhost:8080/health
: 1789139856:27;less app.log
: 1789139926:30;npm test
: 1789140000:0;rg -n TODO src
: 1789140007:178;vim notes.md
: 1789140214:91;npm run build
: 1789140476:35;make
: 1789140534:0;git status
: 1789140552:5;npm test
: 1789140572:0;git status
: 1789140721:34;npm run build
: 1789140835:0;git status
: 1789140883:2;ssh staging uptime
: 1789140889:5;npm test
: 1789140917:48;make
: 1789141005:0;rg -n TODO src
: 1789141022:0;git status
: 1789141037:0;git status
: 1789141107:0;cd ..
: 1789141121:43;make
: 1789141176:51;npm install
: 1789141286:0;ls -la
: 1789141332:0;cd ..
: 1789141385:0;git status
: 1789141485:35;npm test
: 1789141553:8;less app.log
: 1789141670:0;git status
: 1789141679:28;vim notes.md
: 1789141717:60;sleep 60
: 1789141839:86;vim notes.md
: 1789141974:0;git status
: 1789141984:1;git push
: 1789142040:0;git status
: 1789142051:34;make
: 1789142121:1;git pull --rebase
: 1789225669:0;git status
: 1789225691:0;git status
: 1789225761:0;git status
: 1789225825:4;sleep 5
: 1789225891:2;git push
: 1789225937:0;curl -s localhost:8080/health
: 1789225964:0;cd ..
: 1789226007:23;vim notes.md
: 1789226051:0;rg -n TODO src
: 1789226103:154;ssh staging
: 1789226379:2;npm test
: 1789226407:0;ls -la
: 1789226435:0;git status
: 1789226452:2;git push
: 1789226601:0;ssh staging uptime
: 1789226633:1;ssh staging uptime
: 1789226656:0;git status
: 1789226852:0;git status
: 1789226876:1;git push
: 1789226887:0;git status
: 1789226904:1;make
: 1789226949:0;git status
: 1789227005:0;curl -s localhost:8080/health
: 1789227008:25;npm test
: 1789227049:2;git push
: 1789227112:0;git status
: 1789227127:0;rg -n TODO src
: 1789227456:0;ls -la
: 1789227493:0;git status
: 1789227519:50;make
: 1789227592:45;less app.log
: 1789227651:13;make site
: 1789227675:0;git status
: 1789227741:0;rg -n TODO src
: 1789227748:0;git status
: 1789227783:0;ls -la
: 1789227880:0;git status
: 1789227907:0;git status
: 1789227945:0;git status
: 1789227959:1;cargo build
: 1789312248:1;git push
: 1789312335:0;git status
: 1789312382:35;npm test
: 1789312606:3;npm test
: 1789312649:107;npm run build
: 1789312767:43;cargo test
: 1789312813:332;docker compose up
: 1789313208:0;git status
: 1789313255:0;git status
: 1789313271:11;make site
: 1789313290:92;npm run build
: 1789313432:468;ssh staging
: 1789313922:2;git pull --rebase
: 1789314030:0;rg -n TODO src
: 1789314060:1;git push
: 1789314082:0;git status
: 1789314114:86;npm run build
: 1789314214:0;curl -s localhost:8080/health
: 1789314216:0;ssh staging uptime
: 1789314227:1;git pull --rebase
: 1789314331:121;vim notes.md
: 1789314608:0;rg -n TODO src
: 1789314622:0;cd ..
: 1789314642:0;ls -la
: 1789314665:0;git status
: 1789314730:51;make
: 1789314808:34;less app.log
: 1789314877:0;rg -n TODO src
: 1789314888:0;git status
: 1789315081:2;cargo build
: 1789315124:52;vim notes.md
: 1789315184:0;curl -s localhost:8080/health
: 1789315196:2;git push
: 1789315252:59;sleep 60
: 1789315316:338;./backup.sh
: 1789315753:0;cd ..
: 1789315774:0;cd ..
: 1789315844:1;make
: 1789315882:0;git status
: 1789315949:351;./backup.sh
: 1789398504:0;git status
: 1789398718:0;git status
: 1789398735:41;make
: 1789398779:11;npm install
: 1789398824:0;git status
: 1789398844:0;git status
: 1789398877:292;./backup.sh
: 1789399219:1;git pull --rebase
: 1789399253:45;cargo test
: 1789399627:0;ls -la
: 1789399667:2;git push
: 1789399686:6;cargo build
: 1789399737:0;git status
: 1789399760:2;make
: 1789399816:61;make
: 1789399910:0;git status
: 1789399929:59;cargo test
: 1789400003:0;ls -la
: 1789400092:0;git status
: 1789400099:0;git status
: 1789400106:2;git pull --rebase
: 1789400293:8;npm install
: 1789400520:0;ls -la
: 1789400550:0;git status
: 1789400580:91;npm run build
: 1789400787:32;npm test
: 1789400835:37;cargo build
: 1789400880:21;npm test
: 1789400921:0;rg -n TODO src
: 1789400986:0;curl -s localhost:8080/health
: 1789401024:13;make site
: 1789401056:46;cargo test
: 1789401177:0;rg -n TODO src
: 1789401195:40;npm test
: 1789401269:0;curl -s localhost:8080/health
: 1789401290:34;npm test
: 1789401341:0;cd ..
: 1789401350:4;npm test
: 1789401370:0;git status
: 1789401411:0;curl -s localhost:8080/health
