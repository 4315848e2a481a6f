<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.10.2" name="cave" tilewidth="16" tileheight="16" tilecount="8" columns="8">
 <image source="cave.png" width="128" height="16"/>
 <tile id="0">
  <properties>
   <property name="solid" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="1">
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="16">
    <polygon points="0,0 16,-16 16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="2">
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="0">
    <polygon points="0,0 16,0 8,16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="3">
  <properties>
   <property name="one_way" value="up"/>
  </properties>
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="0" width="16" height="4"/>
  </objectgroup>
 </tile>
 <tile id="4">
  <properties>
   <property name="friction" type="float" value="0"/>
   <property name="solid" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="6" type="crate">
  <properties>
   <property name="density" type="float" value="0.5"/>
  </properties>
 </tile>
 <tile id="7" type="boulder">
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="0" width="16" height="16">
    <ellipse/>
   </object>
  </objectgroup>
 </tile>
</tileset>
